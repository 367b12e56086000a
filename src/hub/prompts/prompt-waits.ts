/** Clients that wait for the outcome of a prompt (`answer --wait`). */
import { isOpen, type PromptState } from "../../model/lifecycle.js";
import { canOfferAskAgain } from "../delivery/notices/ask-again.js";
import { createRefusedError } from "../ledger/refused-error.js";
import type { Ledger } from "../ledger/ledger.js";
import type { PromptRow } from "../store/tables/prompts.js";

export interface WaitResult {
  readonly state: PromptState;
  readonly text: string;
  readonly again: boolean;
  /** The channel over which it was answered, `cli` or `auto`; null: over none. */
  readonly over: string | null;
}

export class PromptWaits {
  readonly #ledger: Ledger;
  readonly #waiting = new Map<string, ((result: WaitResult) => void)[]>();

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** Resolves when no answer is in progress: in a final state, or when the prompt is open (again). Errors: ATB_HUB_REFUSED. */
  wait(promptId: string): Promise<WaitResult> {
    const prompt = this.#ledger.store.prompts.find(promptId);
    if (!prompt) return Promise.reject(createRefusedError("there is no such prompt"));
    if (isSettled(prompt)) return Promise.resolve(this.#buildResult(prompt));
    return new Promise((resolve) => {
      this.#waiting.set(promptId, [...(this.#waiting.get(promptId) ?? []), resolve]);
    });
  }

  notifyChanged(promptId: string): void {
    const waiting = this.#waiting.get(promptId);
    const prompt = waiting ? this.#ledger.store.prompts.find(promptId) : null;
    if (!waiting || !prompt || !isSettled(prompt)) return;
    this.#waiting.delete(promptId);
    for (const resolve of waiting) resolve(this.#buildResult(prompt));
  }

  #buildResult(prompt: PromptRow): WaitResult {
    const { state, outcome, shortId, replyId } = prompt;
    // A prompt that is pending again keeps the answer that was not typed.
    const reply = state === "pending" || !replyId ? null : this.#ledger.store.replies.find(replyId);
    const over = reply?.identity.split(":")[0] ?? null;
    const text = outcome ?? `${shortId} is waiting for an answer`;
    return { state, text, again: canOfferAskAgain(this.#ledger.store, prompt), over };
  }
}

function isSettled({ state }: PromptRow): boolean {
  return state === "pending" || !isOpen(state);
}
