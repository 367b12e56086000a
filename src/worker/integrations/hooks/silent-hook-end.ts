/**
 * Notices that a hook call is over although the tool keeps its connection: a Yes at the keyboard does not end the hook. Only while
 * a call waits whose dialog is not drawn.
 */
import type { Cancel, Clock } from "../../../model/clock.js";

/** A tool goes from one dialog to the next within a few tenths of a second. */
const LOOK_EVERY_MS = 500;
/** Looks in a row that must find a tool that waits for nobody. */
const LOOKS_MIN = 3;

export interface CallWatchOptions {
  readonly clock: Clock;
  readonly hasUndrawnRequest: () => boolean;
  /** The tool says, or shows, that it waits for somebody. */
  readonly isWaiting: () => boolean;
  readonly onMovedOn: () => void;
}

export class SilentHookEndDetector {
  readonly #options: CallWatchOptions;
  #cancel: Cancel | null = null;
  #looks = 0;

  constructor(options: CallWatchOptions) {
    this.#options = options;
  }

  /** A call came, or a dialog left the screen. */
  changed(): void {
    if (this.#cancel || !this.#options.hasUndrawnRequest()) return;
    this.#cancel = this.#options.clock.after(LOOK_EVERY_MS, () => this.#look());
  }

  stop(): void {
    this.#cancel?.();
  }

  #look(): void {
    const { hasUndrawnRequest, isWaiting, onMovedOn } = this.#options;
    this.#cancel = null;
    this.#looks = hasUndrawnRequest() && !isWaiting() ? this.#looks + 1 : 0;
    if (this.#looks >= LOOKS_MIN) {
      this.#looks = 0;
      onMovedOn();
    }
    this.changed();
  }
}
