/** What a program's marks tell of an output whose end is not where they say. */
import { readProperty, type PromptMark } from "../prompt/mark-parser.js";

export class EndDoubt {
  #isEnded = false;
  #hasMore = false;
  #isOpen = false;

  /** What was captured may hold more than the output, or less. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  onOutput(): void {
    this.#hasMore = this.#isEnded;
  }

  /** A command that knows the secret can mark its own end, and go on: a second end before the prompt, with output between, tells that. */
  onMark(mark: PromptMark): void {
    if (mark.kind === "property" && readProperty(mark, "Inexact") === "1") this.#isOpen = true;
    if (mark.kind === "prompt") this.#isEnded = this.#hasMore = false;
    if (mark.kind !== "finished") return;
    this.#isOpen ||= this.#hasMore;
    this.#isEnded = true;
    this.#hasMore = false;
  }
}
