/**
 * Holds a detected dialog for a moment until the hook call of the same prompt arrives. The dialog can be first where a command delivers
 * the calls, and on a busy machine while the caller is being checked. The call has the whole content and needs no key, and people must
 * not be asked the same question twice.
 */
import type { Cancel, Clock } from "../../model/clock.js";
import { TOOL_LIMITS } from "./limits.js";
import type { PendingRequest } from "./pending-request.js";
import type { Candidate } from "../../sdk/candidate.js";
import type { TrackerOutput } from "../detection/live/tracker.js";

type DialogOutput = Exclude<TrackerOutput, { kind: "state" }>;

export interface HookDialogWaitOptions {
  readonly clock: Clock;
  /** A call is expected for this dialog and has not arrived. */
  readonly isExpected: (dialog: Candidate) => boolean;
  readonly pass: (output: DialogOutput) => void;
}

export class HookDialogWait {
  readonly #options: HookDialogWaitOptions;
  #held: Extract<DialogOutput, { kind: "raise" }> | null = null;
  #cancel: Cancel = () => undefined;

  constructor(options: HookDialogWaitOptions) {
    this.#options = options;
  }

  take(output: DialogOutput): void {
    const { clock, isExpected, pass } = this.#options;
    const wasHeld = this.#held !== null;
    this.stop();
    if (output.kind === "raise" && isExpected(output.candidate)) {
      this.#held = output;
      this.#cancel = clock.after(TOOL_LIMITS.hookCallWithinMs, () => this.#release());
    } else if (output.kind === "raise" || !wasHeld) pass(output);
  }

  /** A request has arrived. */
  opened(request: PendingRequest): void {
    if (this.#held && request.isDrawnBy?.(this.#held.candidate)) this.#release();
  }

  /** Drops what is held; it is not passed on. */
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
