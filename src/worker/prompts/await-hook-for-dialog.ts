/**
 * A dialog may be found before its call is here: where a command brings the calls, and on a busy machine, while it is asked who calls.
 * It waits for it a moment: the call has the whole content, and answers without a key; and a question must not come to people twice.
 */
import type { Cancel, Clock } from "../../model/clock.js";
import type { PendingRequest } from "./pending-request.js";
import type { Candidate } from "../../sdk/candidate.js";
import type { TrackerOutput } from "../detection/live/tracker.js";

/** A command is up within a tenth of a second, on a busy machine within several. Longer, and something keeps it from us. */
export const CALL_WITHIN_MS = 1500;

type DialogOutput = Exclude<TrackerOutput, { kind: "state" }>;

export interface CallWaitOptions {
  readonly clock: Clock;
  /** A call is to be expected for this dialog, and is not here. */
  readonly isExpected: (dialog: Candidate) => boolean;
  readonly pass: (output: DialogOutput) => void;
}

export class HookDialogWait {
  readonly #options: CallWaitOptions;
  #held: Extract<DialogOutput, { kind: "raise" }> | null = null;
  #cancel: Cancel = () => undefined;

  constructor(options: CallWaitOptions) {
    this.#options = options;
  }

  take(output: DialogOutput): void {
    const { clock, isExpected, pass } = this.#options;
    const wasHeld = this.#held !== null;
    this.stop();
    if (output.kind === "raise" && isExpected(output.candidate)) {
      this.#held = output;
      this.#cancel = clock.after(CALL_WITHIN_MS, () => this.#release());
    } else if (output.kind === "raise" || !wasHeld) pass(output);
  }

  /** A request is here. */
  opened(request: PendingRequest): void {
    if (this.#held && request.isDrawnBy?.(this.#held.candidate)) this.#release();
  }

  /** Nothing is passed on any more of what waits. */
  stop(): void {
    this.#cancel();
    this.#held = null;
  }

  #release(): void {
    const held = this.#held;
    this.stop();
    if (held) this.#options.pass(held);
  }
}
