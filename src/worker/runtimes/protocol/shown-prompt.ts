/**
 * Keeps the prompt that keys answer the last thing on the terminal. Output of the tool is held back until the answer, since it could
 * look like another prompt above the same keys.
 */
import type { PromptEvent } from "../../../model/prompt.js";
import { makeVisible } from "../../../safety/display.js";

/** In UTF-16 units. More output than this is shown at once, and the prompt again below it. */
const HELD_LENGTH_MAX = 64 * 1024;

export interface ShownPromptOptions {
  /** The oldest prompt that a person here may answer; null when there is none. */
  readonly first: () => PromptEvent | null;
  /** Draws the prompt, by passing its text to `print`. */
  readonly draw: (event: PromptEvent) => void;
  /** Puts text where the person reads it. */
  readonly show: (text: string) => void;
}

export class ShownPrompt {
  readonly #options: ShownPromptOptions;
  #drawn: PromptEvent | null = null;
  #isDrawing = false;
  #held = "";

  constructor(options: ShownPromptOptions) {
    this.#options = options;
  }

  /** The prompt that keys answer: only one that is on the terminal. */
  get currentPrompt(): PromptEvent | null {
    return this.#isCurrent ? this.#drawn : null;
  }

  /** All output of the session goes through here. */
  print(text: string): void {
    if (!this.#isDrawing && !this.#isCurrent) this.update();
    if (this.#isDrawing || !this.#drawn) {
      this.#options.show(text);
      return;
    }
    this.#held += text;
    if (this.#held.length > HELD_LENGTH_MAX) this.#draw(this.#drawn);
  }

  /** Call when a prompt came or went. */
  update(): void {
    if (this.#isCurrent) return;
    const next = this.#options.first();
    if (next) this.#draw(next);
    else this.#release();
  }

  /** Shows the outcome of a prompt on the row below it. False where another text is below it already. */
  showOutcome({ promptId }: PromptEvent, text: string): boolean {
    if (this.#drawn?.promptId !== promptId) return false;
    this.#drawn = null;
    this.#options.show(`${makeVisible(text)}\n`);
    return true;
  }

  get #isCurrent(): boolean {
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
