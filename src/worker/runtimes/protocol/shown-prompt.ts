/** Holds back output while a prompt is shown, because the output could look like another prompt for the same keys. */
import type { PromptEvent } from "../../../model/prompt.js";
import { makeVisible } from "../../../safety/display.js";

/** In UTF-16 units. More output than this is shown at once, and the prompt again below it. */
const HELD_LENGTH_MAX = 64 * 1024;

export interface ShownPromptOptions {
  readonly first: () => PromptEvent | null;
  readonly draw: (event: PromptEvent) => void;
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

  print(text: string): void {
    if (!this.#isDrawing && !this.#isCurrent) this.update();
    if (this.#isDrawing || !this.#drawn) {
      this.#options.show(text);
      return;
    }
    this.#held += text;
    if (this.#held.length > HELD_LENGTH_MAX) this.#draw(this.#drawn);
  }

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
