import type { Cancel, Clock } from "../../../model/clock.js";
import type { ProgramFile } from "../../adapter-format/program/program-file.js";

export interface SettlingLimits {
  readonly minMs: number;
  readonly stableMs: number;
  readonly maxMs: number;
}

export function readSettlingLimits({ ready }: Pick<ProgramFile, "ready">): SettlingLimits {
  return {
    minMs: ready.output_settled_min_ms,
    stableMs: ready.output_settled_stable_ms,
    maxMs: ready.output_settled_max_ms,
  };
}

const LOOK_AGAIN_MS = 25;

export class OutputSettling {
  readonly #clock: Clock;
  readonly #limits: SettlingLimits;
  readonly #onSettled: () => void;
  readonly #isReading: () => boolean | undefined;
  readonly #startedAt: number;
  readonly #stopLimit: Cancel;
  #stopQuiet: Cancel;
  #hasOutput = false;
  #isOver = false;

  /**
   * `isReading` tells whether the program waits for input, undefined if unknown. A program that does not read may only be slow; if it is
   * unknown, silence counts once there was output.
   */
  constructor(
    clock: Clock,
    limits: SettlingLimits,
    onSettled: () => void,
    isReading: () => boolean | undefined,
  ) {
    this.#clock = clock;
    this.#limits = limits;
    this.#onSettled = onSettled;
    this.#isReading = isReading;
    this.#startedAt = clock.monotonic();
    this.#stopLimit = clock.after(limits.maxMs, () => this.#finish());
    this.#stopQuiet = clock.after(Math.max(limits.minMs, limits.stableMs), () => this.#onQuiet());
  }

  note(): void {
    if (this.#isOver) return;
    this.#hasOutput = true;
    const leastMs = this.#limits.minMs - (this.#clock.monotonic() - this.#startedAt);
    this.#stopQuiet();
    this.#stopQuiet = this.#clock.after(Math.max(this.#limits.stableMs, leastMs), () => this.#onQuiet());
  }

  stop(): void {
    this.#isOver = true;
    this.#stopQuiet();
    this.#stopLimit();
  }

  #onQuiet(): void {
    if (this.#isReading() ?? this.#hasOutput) this.#finish();
    else if (!this.#isOver) this.#stopQuiet = this.#clock.after(LOOK_AGAIN_MS, () => this.#onQuiet());
  }

  #finish(): void {
    if (this.#isOver) return;
    this.stop();
    this.#onSettled();
  }
}
