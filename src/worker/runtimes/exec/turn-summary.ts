/** Counts what happens in one turn, by which the exec loop judges whether the tool makes progress. */
import type { PromptEvent } from "../../../model/prompt.js";
import type { Activity } from "../protocol/activity.js";
import type { TurnEnd } from "./exec-client.js";

export interface TurnReport extends TurnEnd {
  /** What the tool said last. */
  readonly words: string;
  /** Calls of its tools that ran and did not fail. */
  readonly callsDone: number;
  /** Prompts that were denied. */
  readonly denials: number;
  /** Denied prompts that nobody could answer, or not in time. */
  readonly refused: number;
}

export class TurnSummary {
  #words = "";
  #callsDone = 0;
  #denials = 0;
  #refused = 0;

  /** What it said last, by now. */
  get words(): string {
    return this.#words.trim();
  }

  begin(): void {
    this.#words = "";
    this.#callsDone = this.#denials = this.#refused = 0;
  }

  seen(activity: Activity): void {
    if (activity.kind === "said" && activity.by === "agent") this.#words += activity.text;
    if (activity.kind !== "call") return;
    const { call, before } = activity;
    // What it says after a call is its answer; what it said before was on the way to it.
    if (!before) this.#words = "";
    if (call.status === "completed" && before?.status !== "completed") this.#callsDone += 1;
  }

  /** A person answered; `label` is what they chose. */
  answered({ choices }: Pick<PromptEvent, "choices">, label: string): void {
    const choice = choices.find((each) => each.label === label);
    if (choice?.intent.startsWith("reject")) this.#denials += 1;
  }

  /** Nobody could be asked. */
  refused(): void {
    this.#denials += 1;
    this.#refused += 1;
  }

  report(end: TurnEnd): TurnReport {
    const [callsDone, denials, refused] = [this.#callsDone, this.#denials, this.#refused];
    return { ...end, words: this.words, callsDone, denials, refused };
  }
}
