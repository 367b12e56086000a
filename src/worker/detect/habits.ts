/** Lines that a program comes back to: a prompt of its own (`mysql> `), not a question (design §6 `unknown` c). */
import type { Candidate } from "../../sdk/candidate.js";

/** A line that nobody can read and that waited so often before is the program's own prompt. */
const TIMES_MAX = 2;
/** A program has few prompts; more texts than this are not remembered. */
const TEXTS_MAX = 64;

export class Habits {
  readonly #times = new Map<string, number>();

  /** It was raised. Only what no rule reads is counted. */
  note({ promptType, question }: Candidate): void {
    if (promptType !== "unknown") return;
    if (this.#times.size >= TEXTS_MAX) this.#times.clear();
    this.#times.set(question, (this.#times.get(question) ?? 0) + 1);
  }

  /** Whether it waited so often before that it asks nothing. */
  has({ promptType, question }: Candidate): boolean {
    return promptType === "unknown" && (this.#times.get(question) ?? 0) >= TIMES_MAX;
  }
}
