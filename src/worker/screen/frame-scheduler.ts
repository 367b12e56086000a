/** Decides when to look at the screen: soon after a change, never too often, and not at all when nothing changes. */
import type { Cancel, Clock } from "../../model/clock.js";

/** A look costs well under a millisecond; 20 looks a second are plenty for a prompt. */
const FRAME_GAP_MS = 50;
/** During a flood looks are rare: its picture is unfinished until it pauses, and then a look comes as soon as after any change. */
const FLOOD_GAP_MS = 250;
/**
 * A look at a huge terminal that changed all over takes a while (1000×300: 13 ms), and the user's keys wait meanwhile. So looks
 * take at most a tenth of the time, and still come every two seconds. The smaller one of two costs counts, because a busy machine
 * makes single looks slow.
 */
const GAP_PER_COST = 10;
const COSTLY_GAP_MAX_MS = 2000;
/** The pieces of one redraw arrive together, so a short wait sees all of them. Gap and delay keep a look within 100 ms. */
const FRAME_DELAY_MS = 8;

export class FrameScheduler {
  readonly #clock: Clock;
  readonly #onLook: (lateMs: number) => void;
  #lastLook = -Infinity;
  #lastCost = 0;
  #costlyGapMs = 0;
  #cancel: Cancel | null = null;
  #due = Infinity;
  #stopped = false;

  /** `look` gets how late it comes because the processor was busy, and may call `wakeAt`. */
  constructor(clock: Clock, look: (lateMs: number) => void) {
    this.#clock = clock;
    this.#onLook = look;
  }

  /** Call when the picture changed. `isFlooded`: it is in the middle of a flood, whose end is reported by another call. */
  noteChange(isFlooded = false): void {
    const now = this.#clock.monotonic();
    const gapMs = Math.max(isFlooded ? FLOOD_GAP_MS : FRAME_GAP_MS, this.#costlyGapMs);
    this.#schedule(Math.max(now + FRAME_DELAY_MS, this.#lastLook + gapMs));
  }

  /** Schedules a look at this instant even if nothing changes. Null does not cancel an earlier look. */
  wakeAt(instant: number | null): void {
    if (instant !== null) this.#schedule(instant);
  }

  /** Stops for good: output that is parsed later causes no look. */
  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
    this.#cancel = null;
    this.#due = Infinity;
  }

  #schedule(due: number): void {
    if (this.#stopped || (this.#cancel && this.#due <= due)) return;
    this.#cancel?.();
    this.#due = due;
    this.#cancel = this.#clock.after(Math.max(0, due - this.#clock.monotonic()), () => this.#run());
  }

  #run(): void {
    const now = this.#clock.monotonic();
    const lateMs = Math.max(0, now - this.#due);
    this.#cancel = null;
    this.#due = Infinity;
    this.#lastLook = now;
    this.#onLook(lateMs);
    this.#noteCost(this.#clock.monotonic() - now);
  }

  #noteCost(cost: number): void {
    this.#costlyGapMs = Math.min(COSTLY_GAP_MAX_MS, GAP_PER_COST * Math.min(cost, this.#lastCost));
    this.#lastCost = cost;
  }
}
