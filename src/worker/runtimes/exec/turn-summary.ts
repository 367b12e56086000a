/** Counts the events of one turn, by which the exec loop judges whether the tool makes progress. */
import type { PromptEvent } from "../../../model/prompt.js";
import type { Activity } from "../protocol/activity.js";
import type { TurnEnd } from "./exec-client.js";

export interface TurnReport extends TurnEnd {
  readonly words: string;
  /** Calls of its tools that ran and did not fail. */
  readonly callsDone: number;
  readonly denials: number;
  /** Denied prompts that nobody could answer, or not in time. */
  readonly refused: number;
}

export class TurnSummary {
  #words = "";
  #callsDone = 0;
  #denials = 0;
  #refused = 0;

  get words(): string {
    return this.#words.trim();
  }

  begin(): void {
    this.#words = "";
    this.#callsDone = this.#denials = this.#refused = 0;
  }

  noteActivity(activity: Activity): void {
    if (activity.kind === "said" && activity.by === "agent") this.#words += activity.text;
    if (activity.kind !== "call") return;
    const { call, before } = activity;
    // The text after a call is the answer; the text before it led to the call.
    if (!before) this.#words = "";
    if (call.status === "completed" && before?.status !== "completed") this.#callsDone += 1;
  }

  noteAnswer({ choices }: Pick<PromptEvent, "choices">, label: string): void {
    const choice = choices.find((each) => each.label === label);
    if (choice?.intent.startsWith("reject")) this.#denials += 1;
  }

  noteDenial(): void {
    this.#denials += 1;
  }

  noteRefusal(): void {
    this.noteDenial();
    this.#refused += 1;
  }

  createReport(end: TurnEnd): TurnReport {
    const [callsDone, denials, refused] = [this.#callsDone, this.#denials, this.#refused];
    return { ...end, words: this.words, callsDone, denials, refused };
  }
}
