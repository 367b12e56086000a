/**
 * Holds back a dialog until the hook call of the same prompt arrives, so that people are not asked twice. The dialog is first where a
 * command delivers the calls, and on a busy machine.
 */
import type { Cancel, Clock } from "../../model/clock.js";
import { isAskedByCalls } from "./dialog-matches-call.js";
import { TOOL_LIMITS } from "./limits.js";
import type { PendingRequest } from "./pending-request.js";
import type { Candidate } from "../../sdk/candidate.js";
import type { TrackerOutput } from "../detection/live/tracker.js";

type DialogOutput = Exclude<TrackerOutput, { kind: "state" }>;

export interface HookDialogWaitOptions {
  readonly clock: Clock;
  /** Whether a call may be on its way. */
  readonly isCalling: () => boolean;
  readonly prompts: {
    hasRequestFor(dialog: Candidate): boolean;
    onTracker(output: DialogOutput): void;
  };
}

export class HookDialogWait {
  readonly #options: HookDialogWaitOptions;
  #held: Extract<DialogOutput, { kind: "raise" }> | null = null;
  #cancel: Cancel = () => undefined;

  constructor(options: HookDialogWaitOptions) {
    this.#options = options;
  }

  take(output: DialogOutput): void {
    const { clock, prompts } = this.#options;
    const wasHeld = this.#held !== null;
    this.stop();
    if (output.kind === "raise" && this.#isExpected(output.candidate)) {
      this.#held = output;
      this.#cancel = clock.after(TOOL_LIMITS.hookCallWithinMs, () => this.#release());
    } else if (output.kind === "raise" || !wasHeld) prompts.onTracker(output);
  }

  #isExpected(dialog: Candidate): boolean {
    const { isCalling, prompts } = this.#options;
    return isCalling() && isAskedByCalls(dialog) && !prompts.hasRequestFor(dialog);
  }

  opened(request: PendingRequest): void {
    if (this.#held && request.matchesDialog?.(this.#held.candidate)) this.#release();
  }

  stop(): void {
    this.#cancel();
    this.#held = null;
  }

  #release(): void {
    const held = this.#held;
    this.stop();
    if (held) this.#options.prompts.onTracker(held);
  }
}
