import { readProperty, type PromptMark } from "../prompt/mark-parser.js";

export class InexactEnd {
  #isEnded = false;
  #hasMore = false;
  isOpen = false;

  onOutput(): void {
    this.#hasMore = this.#isEnded;
  }

  /** A command that knows the secret can mark its own end and continue. Output between two marks of an end reveals that. */
  onMark(mark: PromptMark): void {
    if (mark.kind === "property" && readProperty(mark, "Inexact") === "1") this.isOpen = true;
    if (mark.kind === "prompt") this.#isEnded = this.#hasMore = false;
    if (mark.kind !== "finished") return;
    this.isOpen ||= this.#hasMore;
    this.#isEnded = true;
    this.#hasMore = false;
  }
}
