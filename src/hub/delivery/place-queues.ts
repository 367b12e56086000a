/** The queues of all places, and the limiter of each service. */
import type { Pace } from "../../sdk/channel.js";
import { PlaceQueue, ServiceLimiter } from "./place-queue.js";
import type { ConfiguredChannel } from "../people/routing.js";

/** Where nothing leaves the machine. */
const UNHURRIED: Pace = { place: () => [], all: [], edits: [] };

export class PlaceQueues {
  readonly #placeQueues = new Map<string, PlaceQueue>();
  readonly #roads = new Map<string, ServiceLimiter>();

  /** Made when it is first asked for. */
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
   * A channel wrote to a place. One where nothing is delivered does not count: anybody may write to a bot and get an answer, and
   * nobody's question waits for that.
   */
  wrote(channel: string, place: string, now: number): void {
    this.#placeQueues.get(keyOf(channel, place))?.wrote(now);
  }
}

function keyOf(channel: string, place: string): string {
  return JSON.stringify([channel, place]);
}
