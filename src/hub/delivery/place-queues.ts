/** The queues of all places, and the limiter of each service. */
import type { Pace } from "../../sdk/channel.js";
import { PlaceQueue, ServiceLimiter } from "./place-queue.js";
import type { ConfiguredChannel } from "../people/routing.js";

/** For channels that stay on this machine. */
const UNLIMITED: Pace = { place: () => [], all: [], edits: [] };

export class PlaceQueues {
  readonly #placeQueues = new Map<string, PlaceQueue>();
  readonly #limiters = new Map<string, ServiceLimiter>();

  getQueue({ id, capabilities }: ConfiguredChannel, place: string, now: number): PlaceQueue {
    const key = placeKey(id, place);
    const pace = capabilities.pace ?? UNLIMITED;
    const road = this.#limiters.get(id) ?? new ServiceLimiter(pace, now);
    this.#limiters.set(id, road);
    const placeQueue = this.#placeQueues.get(key) ?? new PlaceQueue(pace.place(place), road, now);
    this.#placeQueues.set(key, placeQueue);
    return placeQueue;
  }

  isBusy(channel: string, place: string): boolean {
    return this.#placeQueues.get(placeKey(channel, place))?.isBusy ?? false;
  }

  /** Places without deliveries do not count: anybody may message a bot and get a reply, and no prompt waits for that. */
  noteWrite(channel: string, place: string, now: number): void {
    this.#placeQueues.get(placeKey(channel, place))?.noteWrite(now);
  }
}

function placeKey(channel: string, place: string): string {
  return JSON.stringify([channel, place]);
}
