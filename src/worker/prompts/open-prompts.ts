/** The prompts of one session that wait for a person: those of a terminal and those of a protocol are kept by classes that extend this. */
import type { Fingerprint, PromptId } from "../../model/ids.js";
import type { PromptEvent } from "../../model/prompt.js";
import type { WithdrawReason } from "../../sdk/adapter.js";
import type { StampPrompt } from "./stamp-prompt.js";

export interface OpenPrompt {
  event: PromptEvent;
  isAnswering: boolean;
}

export interface OpenPromptsOptions {
  readonly stamp: StampPrompt;
  readonly onRaised: (event: PromptEvent) => void;
  readonly onWithdrawn: (event: PromptEvent, reason: WithdrawReason) => void;
}

export abstract class OpenPrompts<P extends OpenPrompt> {
  /** In the order in which they were first raised. */
  protected readonly prompts: P[] = [];
  readonly #options: OpenPromptsOptions;
  #count = 0;

  constructor(options: OpenPromptsOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#count;
  }

  get isAsking(): boolean {
    return this.prompts.length > 0;
  }

  get isAnswering(): boolean {
    return this.prompts.some(({ isAnswering }) => isAnswering);
  }

  find(promptId: PromptId): P | null {
    return this.prompts.find(({ event }) => event.promptId === promptId) ?? null;
  }

  protected hasEqual(fingerprint: Fingerprint): boolean {
    return this.prompts.some(({ event }) => event.fingerprint === fingerprint);
  }

  protected stamp(...question: Parameters<StampPrompt>): PromptEvent {
    this.#count += 1;
    return this.#options.stamp(...question);
  }

  protected raise(prompt: P): void {
    if (!this.prompts.includes(prompt)) this.prompts.push(prompt);
    this.#options.onRaised(prompt.event);
  }

  protected remove(prompt: P): void {
    const at = this.prompts.indexOf(prompt);
    if (at >= 0) this.prompts.splice(at, 1);
  }

  protected withdraw(prompt: P, reason: WithdrawReason): void {
    this.remove(prompt);
    this.#options.onWithdrawn(prompt.event, reason);
  }
}
