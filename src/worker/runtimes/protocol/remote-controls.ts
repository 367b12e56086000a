import type { Fingerprint, PromptId } from "../../../model/ids.js";
import type { ReaskResult } from "../../../sdk/adapter.js";
import type { PendingRequests } from "../../prompts/pending-requests.js";
import { INTERRUPT_PROBLEM } from "../../../model/interrupt-problem.js";

/** The latest part of the text that is kept: a screenful or two. */
const LINES_MAX = 60;
const LENGTH_MAX = 32 * 1024;

export interface ProtocolControlsOptions {
  readonly pendingRequests: Pick<PendingRequests, "isAsking" | "askAgain">;
  readonly isAlive: () => boolean;
  readonly isBusy: () => boolean;
  readonly interrupt: () => void;
}

export class ProtocolControls {
  readonly #options: ProtocolControlsOptions;
  #text = "";

  constructor(options: ProtocolControlsOptions) {
    this.#options = options;
  }

  noteShown(text: string): void {
    this.#text = `${this.#text}${text}`.slice(-LENGTH_MAX);
  }

  screen(): { readonly text: string; readonly problem: null } {
    return { text: this.#text.trimEnd().split("\n").slice(-LINES_MAX).join("\n"), problem: null };
  }

  askAgain(promptId: PromptId, fingerprint: Fingerprint): ReaskResult {
    return this.#options.pendingRequests.askAgain(promptId, fingerprint);
  }

  /** Stops what the session does, if it does anything. Returns why not, or null. */
  interrupt(): string | null {
    const { isAlive, pendingRequests, isBusy, interrupt } = this.#options;
    if (!isAlive()) return "the tool has ended";
    if (pendingRequests.isAsking) return INTERRUPT_PROBLEM.asking;
    if (!isBusy()) return INTERRUPT_PROBLEM.idle;
    interrupt();
    return null;
  }
}
