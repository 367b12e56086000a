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
/** That the tool rests is read from its screen, which may show what it did before it told. On a busy machine that takes a second. */
const RESTS_LATE_MS = 5000;

interface Told {
  /** Null: nobody could read it. */
  readonly ask: Ask | null;
  /** Monotonic ms. */
  readonly at: number;
}

export class ToldCalls {
  #told: readonly Told[] = [];

  /** Null: something was told that nobody could read. Then nothing is lent until the tool rests. */
  add(ask: Ask | null, at: number): void {
    this.#told = [...this.#told, { ask: this.#told.length < TOLD_MAX ? ask : null, at }].slice(-TOLD_MAX - 1);
  }

  /** All that was told of it where it does not show all. */
  contentOf(dialog: Candidate): PromptContent {
    const { content } = dialog;
    if (content.cut === null || this.#told.some(({ ask }) => ask === null)) return content;
    const [text, ...others] = new Set(this.#of(dialog).map((ask) => ask.content.text));
    return text === undefined || others.length > 0 ? content : { text: shown(dialog, text), cut: null };
  }

  /** Its dialog was answered: another one that looks like it has been told of by itself. */
  answered(dialog: Candidate): void {
    this.#told = this.#told.filter(({ ask }) => ask === null || !drawsTold(dialog, ask));
  }

  /** The tool rests: nothing that it told of is still to be drawn, but what it told just now. */
  rests(now: number): void {
    this.#told = this.#told.filter(({ at }) => now - at <= RESTS_LATE_MS);
  }

  #of(dialog: Candidate): readonly Ask[] {
    return this.#told.flatMap(({ ask }) => (ask !== null && drawsTold(dialog, ask) ? [ask] : []));
  }
}

/** Of a dialog that nobody can read people see the picture as well: that is what their keys go to. */
function shown({ promptType, content }: Candidate, told: string): string {
  return promptType === "unknown" ? `${told}\n\n${content.text}` : told;
}
