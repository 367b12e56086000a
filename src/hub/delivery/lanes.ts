/** All ways to all places: a lane each, and a road for each service. */
import type { Pace } from "../../sdk/channel.js";
import { Lane, Road } from "./lane.js";
import type { Seat } from "./routing.js";

/** Where nothing leaves the machine. */
const UNHURRIED: Pace = { place: () => [], all: [], edits: [] };

export class Lanes {
  readonly #lanes = new Map<string, Lane>();
  readonly #roads = new Map<string, Road>();

  /** Made when it is first asked for. */
  of({ id, capabilities }: Seat, place: string, now: number): Lane {
    const key = keyOf(id, place);
    const pace = capabilities.pace ?? UNHURRIED;
    const road = this.#roads.get(id) ?? new Road(pace, now);
    this.#roads.set(id, road);
    const lane = this.#lanes.get(key) ?? new Lane(pace.place(place), road, now);
    this.#lanes.set(key, lane);
    return lane;
  }

  isBusy(channel: string, place: string): boolean {
    return this.#lanes.get(keyOf(channel, place))?.busy ?? false;
  }

  /**
   * A channel wrote to a place. One where nothing is delivered does not count: anybody may write to a bot and get an answer, and
   * nobody's question waits for that.
   */
  wrote(channel: string, place: string, now: number): void {
    this.#lanes.get(keyOf(channel, place))?.wrote(now);
  }
}

function keyOf(channel: string, place: string): string {
  return JSON.stringify([channel, place]);
}
