/** The queues of all places, and the limiter of each service. */
import type { Pace } from "../../sdk/channel.js";
import type { OutboxRow } from "../store/tables/outbox.js";
import { REMEMBERED_TURNS_MAX } from "./limits.js";
import { PlaceQueue, ServiceLimiter } from "./place-queue.js";
import type { ConfiguredChannel } from "../people/routing.js";

/** For channels that stay on this machine. */
const UNLIMITED: Pace = { place: () => [], all: [], edits: [] };

export class PlaceQueues {
  readonly #placeQueues = new Map<string, PlaceQueue>();
  readonly #limiters = new Map<string, ServiceLimiter>();
  /** When each session had its last turn at a place, counted in turns; the oldest first. */
  readonly #lastTurns = new Map<string, number>();
  #turns = 0;

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

  /** Most urgent first. Of those that are alike, the session comes first whose last turn there is longest ago. */
  sort(rows: readonly OutboxRow[]): OutboxRow[] {
    const lastTurn = (row: OutboxRow): number => this.#lastTurns.get(sessionKey(row)) ?? 0;
    return rows.toSorted((a, b) => a.priority - b.priority || lastTurn(a) - lastTurn(b));
  }

  noteTurn(row: OutboxRow): void {
    const key = sessionKey(row);
    this.#lastTurns.delete(key);
    this.#lastTurns.set(key, (this.#turns += 1));
    const [oldest] = this.#lastTurns.keys();
    if (this.#lastTurns.size > REMEMBERED_TURNS_MAX && oldest !== undefined) this.#lastTurns.delete(oldest);
  }

  /** Places without deliveries do not count: anybody may message a bot and get a reply, and no prompt waits for that. */
  noteWrite(channel: string, place: string, now: number): void {
    this.#placeQueues.get(placeKey(channel, place))?.noteWrite(now);
  }
}

function sessionKey({ channel, place, sessionId }: OutboxRow): string {
  return JSON.stringify([channel, place, sessionId]);
}

function placeKey(channel: string, place: string): string {
  return JSON.stringify([channel, place]);
}
