/** The queues of all places, and the limiter of each service. */
import type { Pace } from "../../sdk/channel.js";
import { PlaceQueue, ServiceLimiter } from "./place-queue.js";
import type { ConfiguredChannel } from "../people/routing.js";

/** For channels that stay on this machine. */
const UNHURRIED: Pace = { place: () => [], all: [], edits: [] };

export class PlaceQueues {
  readonly #placeQueues = new Map<string, PlaceQueue>();
  readonly #roads = new Map<string, ServiceLimiter>();

  /** Created on first use. */
  of({ id, capabilities }: ConfiguredChannel, place: string, now: number): PlaceQueue {
    const key = keyOf(id, place);
    const pace = capabilities.pace ?? UNHURRIED;
    const road = this.#roads.get(id) ?? new ServiceLimiter(pace, now);
    this.#roads.set(id, road);
    const placeQueue = this.#placeQueues.get(key) ?? new PlaceQueue(pace.place(place), road, now);
    this.#placeQueues.set(key, placeQueue);
    return placeQueue;
  }

  isBusy(channel: string, place: string): boolean {
    return this.#placeQueues.get(keyOf(channel, place))?.busy ?? false;
  }

  /**
   * Counts a channel's write to a place. Places without deliveries do not count: anybody may message a bot and get a reply, and
   * no prompt waits for that.
   */
  wrote(channel: string, place: string, now: number): void {
    this.#placeQueues.get(keyOf(channel, place))?.wrote(now);
  }
}

function keyOf(channel: string, place: string): string {
  return JSON.stringify([channel, place]);
}
