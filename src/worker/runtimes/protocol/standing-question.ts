/**
 * The question that keys answer is the last thing that a person reads: whatever the tool says meanwhile comes after the answer, for
 * it could look like another question above the same keys.
 */
import type { PromptEvent } from "../../../model/prompt.js";

/** In UTF-16 units. A tool that says more than some screens is shown at once, and the question again below that. */
const HELD_LENGTH_MAX = 64 * 1024;

export interface StandingQuestionOptions {
  /** The one that has waited longest and that a person here may answer; null when there is none. */
  readonly first: () => PromptEvent | null;
  /** Gives its text to `print`. */
  readonly draw: (event: PromptEvent) => void;
  /** Puts text where the person reads it. */
  readonly show: (text: string) => void;
}

export class StandingQuestion {
  readonly #options: StandingQuestionOptions;
  #drawn: PromptEvent | null = null;
  #isDrawing = false;
  #held = "";

  constructor(options: StandingQuestionOptions) {
    this.#options = options;
  }

  /** What keys answer: only what has been read. */
  get asking(): PromptEvent | null {
    return this.#stands ? this.#drawn : null;
  }

  /** All that is written comes through here. */
  print(text: string): void {
    if (!this.#isDrawing && !this.#stands) this.changed();
    if (this.#isDrawing || !this.#drawn) {
      this.#options.show(text);
      return;
    }
    this.#held += text;
    if (this.#held.length > HELD_LENGTH_MAX) this.#draw(this.#drawn);
  }

  /** A question came or went. */
  changed(): void {
    if (this.#stands) return;
    const next = this.#options.first();
    if (next) this.#draw(next);
    else this.#release();
  }

  /** What became of a question, for the row below it: said at once where that is the last thing on the terminal. False: it is not. */
  over({ promptId }: PromptEvent, text: string): boolean {
    if (this.#drawn?.promptId !== promptId) return false;
    this.#drawn = null;
    this.#options.show(text);
    return true;
  }

  get #stands(): boolean {
    return this.#drawn !== null && this.#options.first()?.promptId === this.#drawn.promptId;
  }

  #draw(event: PromptEvent): void {
    this.#release();
    this.#isDrawing = true;
    this.#options.draw(event);
    this.#isDrawing = false;
    this.#drawn = event;
  }

  #release(): void {
    this.#drawn = null;
    const held = this.#held;
    this.#held = "";
    if (held !== "") this.#options.show(held);
  }
}
