/** Detects that a hook call is over although the tool keeps its connection, as after a Yes at the keyboard. */
import type { Cancel, Clock } from "../../../model/clock.js";

/** A tool goes from one dialog to the next within tenths of a second. */
const CHECK_EVERY_MS = 500;
const CHECKS_MIN = 3;

export interface SilentHookEndOptions {
  readonly clock: Clock;
  readonly hasUndrawnRequest: () => boolean;
  readonly isWaiting: () => boolean;
  readonly onMovedOn: () => void;
}

export class SilentHookEndDetector {
  readonly #options: SilentHookEndOptions;
  #cancel: Cancel | null = null;
  #idleChecks = 0;

  constructor(options: SilentHookEndOptions) {
    this.#options = options;
  }

  update(): void {
    if (this.#cancel || !this.#options.hasUndrawnRequest()) return;
    this.#cancel = this.#options.clock.after(CHECK_EVERY_MS, () => this.#check());
  }

  stop(): void {
    this.#cancel?.();
  }

  #check(): void {
    const { hasUndrawnRequest, isWaiting, onMovedOn } = this.#options;
    this.#cancel = null;
    this.#idleChecks = hasUndrawnRequest() && !isWaiting() ? this.#idleChecks + 1 : 0;
    if (this.#idleChecks >= CHECKS_MIN) {
      this.#idleChecks = 0;
      onMovedOn();
    }
    this.update();
  }
}
