/** What came about in one turn, counted as it happens: what a loop judges by whether the tool gets anywhere. */
import type { PromptEvent } from "../../../model/prompt.js";
import type { Activity } from "../protocol/activity.js";
import type { TurnEnd } from "./exec-client.js";

export interface TurnReport extends TurnEnd {
  /** What the tool said last. */
  readonly words: string;
  /** Calls of its tools that ran and did not fail. */
  readonly callsDone: number;
  /** Questions to which it got a No. */
  readonly denials: number;
  /** Those of them that nobody could be asked, or answered in time. */
  readonly refused: number;
}

export class TurnTally {
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
