/**
 * What the tool told of the dialogs that it was about to draw. It is lent to one that is cut: people see what is asked, not as much
 * of it as there was room for. Its answer goes in by keys all the same, so it is lent in no doubt: whoever else can call the hook
 * could tell something harmless, but cannot keep the tool from telling what is true, and then there are two. Hence nothing that was
 * told of a dialog may be forgotten before that dialog was answered.
 */
import type { PromptContent } from "../../../model/prompt.js";
import type { ToolState } from "../../../model/tool-state.js";
import type { Candidate } from "../../../sdk/candidate.js";
import { drawsTold } from "../../prompts/dialog-matches-call.js";
import type { ToolCallRequest } from "../../prompts/tool-call-request.js";
import type { PendingRequest } from "../../prompts/pending-request.js";
import type { StampedPrompt } from "../../detection/stamp.js";
import type { TrackerReason } from "../../detection/live/tracker.js";
import type { DialogPreviews } from "../../runtimes/side-channel.js";

/** A turn has a handful of dialogs; of more the tool shows the first ones last. */
const TOLD_MAX = 64;
/**
 * That the tool rests is read from its screen, which may show what it did before it told (on a busy machine for a second), and for a
 * moment shows nothing between two dialogs. So it has to rest this long, and what it told this shortly before that stays.
 */
const RESTS_MS = 5000;

interface Told {
  /** Null: nobody could read it. */
  readonly ask: ToolCallRequest | null;
  readonly form: PendingRequest | null;
  /** Monotonic ms. */
  readonly at: number;
}

export class HookPreviews implements DialogPreviews {
  #told: readonly Told[] = [];
  #restsSince: number | null = null;
  readonly #takesForms: boolean;

  /** `takesForms`: the tool takes an answer to a form in the place of its dialog. */
  constructor(takesForms = false) {
    this.#takesForms = takesForms;
  }

  /** Null: something was told that nobody could read. Then nothing is lent until the tool rests. */
  add(ask: ToolCallRequest | null, at: number, form: PendingRequest | null = null): void {
    const told = this.#told.length < TOLD_MAX ? { ask, form, at } : { ask: null, form: null, at };
    this.#told = [...this.#told, told].slice(-TOLD_MAX - 1);
  }

  complete(question: StampedPrompt | Candidate): StampedPrompt {
    if (!("region" in question)) return question;
    const form = this.#takesForms ? this.findForm(question) : null;
    if (!form) return { ...question, content: this.contentOf(question) };
    // Nobody saw these fields on the screen.
    const content = { ...form.question.content, cut: { told: true as const } };
    return { ...form.question, content, fingerprint: question.fingerprint };
  }

  /** All that was told of it where it does not show all; it stays marked as cut, for nobody saw the rest. */
  contentOf(dialog: Candidate): PromptContent {
    const { content } = dialog;
    if (content.cut === null || this.#told.some(({ ask }) => ask === null)) return content;
    const text = this.#onlyTextOf(dialog);
    return text === null ? content : { text: shown(dialog, text), cut: { told: true } };
  }

  /** The form that it is, where nobody can read it. */
  findForm(dialog: Candidate): PendingRequest | null {
    if (dialog.promptType !== "unknown" || this.#told.some(({ ask }) => ask === null)) return null;
    const text = this.#onlyTextOf(dialog);
    return this.#of(dialog).find(({ ask }) => ask?.content.text === text)?.form ?? null;
  }

  /**
   * A dialog that was answered is over: another one that looks like it has been told of by itself. Of two that agree with it nobody
   * knows which one it was, and both are kept. One that is covered, or drawn anew at another size, comes back.
   */
  ended(dialog: Candidate, reason: TrackerReason): void {
    if (reason === "left_screen" || reason === "superseded") return;
    const text = this.#onlyTextOf(dialog);
    const own = this.#of(dialog).find(({ ask }) => ask?.content.text === text);
    this.#told = this.#told.filter((told) => told !== own);
  }

  /** What the tool told of before it rested is not still to be drawn once it works again. */
  turned(state: ToolState, now: number): void {
    const since = this.#restsSince;
    if (state === "idle") this.#restsSince = since ?? now;
    else if (since !== null) {
      this.#restsSince = null;
      if (now - since >= RESTS_MS) this.#told = this.#told.filter(({ at }) => since - at <= RESTS_MS);
    }
  }

  /** Null: nothing was told of it, or two different things were. */
  #onlyTextOf(dialog: Candidate): string | null {
    const [text, ...others] = new Set(this.#of(dialog).map(({ ask }) => ask?.content.text));
    return text === undefined || others.length > 0 ? null : text;
  }

  #of(dialog: Candidate): readonly Told[] {
    return this.#told.filter(({ ask }) => ask !== null && drawsTold(dialog, ask));
  }
}

/** Of a dialog that nobody can read people see the picture as well: that is what their keys go to. */
function shown({ promptType, content }: Candidate, told: string): string {
  return promptType === "unknown" ? `${told}\n\n${content.text}` : told;
}
