/**
 * Knows since when this hub hears people without a gap. While a laptop sleeps, the hub is stopped or none runs, people's taps wait at
 * the chat services: for a moment after that, nothing may be decided as if nobody had answered.
 */
import type { ChannelHealth } from "../../sdk/channel.js";
import type { Clock } from "../../model/clock.js";

/** A look that comes later than this was not held up by other work: the process or the machine stood still. */
const LATE_MS = 2_000;
/** Until then a laptop's network is back, and every service has delivered its stored updates. */
export const CATCH_UP_MS = 15_000;

export class ListeningGaps {
  readonly #clock: Clock;
  readonly #states = new Map<string, ChannelHealth["state"]>();
  /** When the last gap ended: by the wall clock, and since boot, which counts sleep and ignores a clock that is set. */
  #began: { readonly wall: number; readonly boot: number };
  /** Since boot; null if none is due. */
  #nextLookAt: number | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#began = { wall: clock.now(), boot: clock.sinceBoot() };
  }

  noteHealth(channel: string, { state }: Pick<ChannelHealth, "state">): void {
    this.#states.set(channel, state);
  }

  isOpen(channel: string): boolean {
    const state = this.#states.get(channel);
    return state === undefined || state === "connected";
  }

  planLook(inMs: number | null): void {
    this.noteGap();
    this.#nextLookAt = inMs === null ? null : this.#clock.sinceBoot() + inMs;
  }

  /** For how many ms what fell due for a prompt of that instant must wait for answers that were given in time; 0: for none. */
  computeWaitMs(createdAt: number): number {
    this.noteGap();
    if (createdAt > this.#began.wall) return 0;
    return Math.max(0, this.#began.boot + CATCH_UP_MS - this.#clock.sinceBoot());
  }

  noteGap(): void {
    const boot = this.#clock.sinceBoot();
    if (this.#nextLookAt === null || boot - this.#nextLookAt <= LATE_MS) return;
    this.#began = { wall: this.#clock.now(), boot };
    this.#nextLookAt = null;
  }
}
