/** When to look at the screen: soon after a change, never too often, and not at all when nothing moves. */
import type { Cancel, Clock } from "../../model/clock.js";

/** Looking costs well under a millisecond; 20 looks a second are plenty for a human's question. */
const FRAME_GAP_MS = 50;
/** A flood is looked at seldom: its picture is unfinished until it pauses, and then a look comes as soon as after any change. */
const FLOOD_GAP_MS = 250;
/**
 * A look at a huge terminal that changed all over takes a while (1000×300: 13 ms), and the user's keys wait meanwhile: looks take a
 * tenth of the time at most, and still come every two seconds. The smaller one of two costs counts; a busy machine makes single looks slow.
 */
const GAP_PER_COST = 10;
const COSTLY_GAP_MAX_MS = 2000;
/** The pieces of one redraw arrive together; waiting a moment sees it whole. Gap and delay keep a look within 100 ms. */
const FRAME_DELAY_MS = 8;

export class FrameScheduler {
  readonly #clock: Clock;
  readonly #look: (lateMs: number) => void;
  #lastLook = -Infinity;
  #lastCost = 0;
  #costlyGapMs = 0;
  #cancel: Cancel | null = null;
  #due = Infinity;
  #stopped = false;

  /** `look` is told how late it comes for want of a processor, and may call `wakeAt`. */
  constructor(clock: Clock, look: (lateMs: number) => void) {
    this.#clock = clock;
    this.#look = look;
  }

  /** The picture changed. `isFlooded`: it is in the middle of a flood, whose end is told by another call. */
  changed(isFlooded = false): void {
    const now = this.#clock.monotonic();
    const gapMs = Math.max(isFlooded ? FLOOD_GAP_MS : FRAME_GAP_MS, this.#costlyGapMs);
    this.#schedule(Math.max(now + FRAME_DELAY_MS, this.#lastLook + gapMs));
  }

  /** Look at this instant even if nothing changes; null takes no wish back that is sooner. */
  wakeAt(instant: number | null): void {
    if (instant !== null) this.#schedule(instant);
  }

  /** For good: output that is parsed later is not looked at any more. */
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
    this.#look(lateMs);
    this.#weigh(this.#clock.monotonic() - now);
  }

  #weigh(cost: number): void {
    this.#costlyGapMs = Math.min(COSTLY_GAP_MAX_MS, GAP_PER_COST * Math.min(cost, this.#lastCost));
    this.#lastCost = cost;
  }
}
