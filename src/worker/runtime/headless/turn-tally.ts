/** What came about in one turn, counted as it happens: what a loop judges by whether the tool gets anywhere. */
import type { PromptEvent } from "../../../model/prompt.js";
import type { Activity } from "../spoken/activity.js";
import type { TurnEnd } from "./dialogue.js";

export interface TurnReport extends TurnEnd {
  /** What the tool said last. */
  readonly words: string;
  /** Calls of its tools that ran and did not fail. */
  readonly callsDone: number;
  /** Questions to which it got a No. */
  readonly denials: number;
}

export class TurnTally {
  #words = "";
  #callsDone = 0;
  #denials = 0;

  /** What it said last, by now. */
  get words(): string {
    return this.#words.trim();
  }

  begin(): void {
    this.#words = "";
    this.#callsDone = this.#denials = 0;
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
    if (choice?.intent.startsWith("reject")) this.denied();
  }

  denied(): void {
    this.#denials += 1;
  }

  report(end: TurnEnd): TurnReport {
    return { ...end, words: this.words, callsDone: this.#callsDone, denials: this.#denials };
  }
}
