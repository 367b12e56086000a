/**
 * What the tool told of the dialogs that it was about to draw. It is lent to one that is cut: people see what is asked, not as much
 * of it as there was room for. Its answer goes in by keys all the same, so it is lent in no doubt: whoever else can call the hook
 * could tell something harmless, but cannot keep the tool from telling what is true, and then there are two.
 */
import type { PromptContent } from "../../../model/prompt.js";
import type { Candidate } from "../../../sdk/candidate.js";
import { drawsTold } from "../../detect/agreement.js";
import type { Ask } from "../../detect/ask.js";

/** A turn has a handful of dialogs; of more the tool shows the first ones last. */
const TOLD_MAX = 64;

export class ToldCalls {
  #asks: readonly Ask[] = [];
  #isWhole = true;

  /** Null: something was told that nobody could read. Then nothing is lent until the tool rests. */
  add(ask: Ask | null): void {
    if (ask === null || this.#asks.length === TOLD_MAX) this.#isWhole = false;
    else this.#asks = [...this.#asks, ask];
  }

  /** All that was told of it where it does not show all. */
  contentOf(dialog: Candidate): PromptContent {
    const { content } = dialog;
    if (content.cut === null || !this.#isWhole) return content;
    const [text, ...others] = new Set(this.#of(dialog).map((ask) => ask.content.text));
    return text === undefined || others.length > 0 ? content : { text: shown(dialog, text), cut: null };
  }

  /** Its dialog was answered: another one that looks like it has been told of by itself. */
  answered(dialog: Candidate): void {
    const gone = this.#of(dialog);
    this.#asks = this.#asks.filter((ask) => !gone.includes(ask));
  }

  /** The tool rests: nothing that it told of is still to be drawn. */
  clear(): void {
    this.#asks = [];
    this.#isWhole = true;
  }

  #of(dialog: Candidate): readonly Ask[] {
    return this.#asks.filter((ask) => drawsTold(dialog, ask));
  }
}

/** Of a dialog that nobody can read people see the picture as well: that is what their keys go to. */
function shown({ promptType, content }: Candidate, told: string): string {
  return promptType === "unknown" ? `${told}\n\n${content.text}` : told;
}
