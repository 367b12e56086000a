/**
 * Keeps what hooks report about dialogs before the tool draws them (previews), and completes cut dialogs from them. Answers are still
 * typed as keys, so only an unambiguous preview is used. Another program may report a harmless call, but the tool still reports the true
 * one, and then there are two previews. So no preview may be forgotten before its dialog was answered.
 */
import type { PromptContent } from "../../../model/prompt.js";
import type { ToolState } from "../../../model/tool-state.js";
import type { Candidate } from "../../../sdk/candidate.js";
import { matches } from "../../adapter-format/pattern.js";
import { matchesPreview } from "../../prompts/dialog-matches-call.js";
import type { ToolCallRequest } from "../../prompts/tool-call-request.js";
import type { PendingRequest } from "../../prompts/pending-request.js";
import type { StampedPrompt } from "../../detection/stamp.js";
import type { TrackerReason } from "../../detection/live/tracker.js";
import type { DialogPreviews } from "../../runtimes/side-channel.js";

/** Each further dialog counts as an unreadable preview. */
const PREVIEWS_MAX = 64;
/**
 * The screen may lag a second behind the hooks, and is empty for a moment between two dialogs. So the tool has to be idle this long, and
 * previews from this shortly before are kept.
 */
const IDLE_MS = 5000;

interface CallPreview {
  /** Null: unreadable. */
  readonly call: ToolCallRequest | null;
  readonly form: PendingRequest | null;
  readonly at: number;
}

export class HookPreviews implements DialogPreviews {
  #previews: readonly CallPreview[] = [];
  #idleSince: number | null = null;
  readonly #takesForms: boolean;
  readonly #asked: readonly string[];

  /** `takesForms`: an answer may replace the form's dialog. `asked`: patterns of questions whose calls are always reported. */
  constructor(takesForms = false, asked: readonly string[] = []) {
    this.#takesForms = takesForms;
    this.#asked = asked;
  }

  /** Null: unreadable. Then no preview is used until the tool has been idle. */
  add(call: ToolCallRequest | null, at: number, form: PendingRequest | null = null): void {
    const preview =
      this.#previews.length < PREVIEWS_MAX ? { call, form, at } : { call: null, form: null, at };
    this.#previews = [...this.#previews, preview].slice(-PREVIEWS_MAX - 1);
  }

  complete(question: StampedPrompt | Candidate): StampedPrompt {
    if (!("region" in question)) return question;
    const form = this.#takesForms ? this.findForm(question) : null;
    if (!form) {
      const completed = { ...question, content: this.completeContent(question) };
      return this.#contradicts(question) ? { ...completed, opened: true } : completed;
    }
    const content = { ...form.prompt.content, cut: { told: true as const } };
    return { ...form.prompt, content, fingerprint: question.fingerprint };
  }

  /** The content stays marked as cut, because the rest was not on the screen. */
  completeContent(dialog: Candidate): PromptContent {
    const { content } = dialog;
    if (content.cut === null || this.#previews.some(({ call }) => call === null)) return content;
    const text = this.#findOnlyText(dialog);
    return text === null ? content : { text: joinPreview(dialog, text), cut: { told: true } };
  }

  /** The tool reports such calls, but no reported call fits this dialog. */
  #contradicts(dialog: Candidate): boolean {
    const isKnown = this.#previews.length > 0 && this.#previews.every(({ call }) => call !== null);
    const isReported = this.#asked.some((pattern) => matches(pattern, dialog.question));
    return isKnown && isReported && this.#findFor(dialog).length === 0;
  }

  findCall(dialog: Candidate): ToolCallRequest | null {
    const [only, ...others] = this.#findFor(dialog);
    return others.length === 0 ? (only?.call ?? null) : null;
  }

  findForm(dialog: Candidate): PendingRequest | null {
    if (dialog.promptType !== "unknown" || this.#previews.some(({ call }) => call === null)) return null;
    const text = this.#findOnlyText(dialog);
    return this.#findFor(dialog).find(({ call }) => call?.content.text === text)?.form ?? null;
  }

  /** Forgets the preview of an answered dialog; where two match, both are kept. A dialog that is covered or redrawn comes back. */
  onDialogEnd(dialog: Candidate, reason: TrackerReason): void {
    if (reason === "left_screen" || reason === "superseded") return;
    const text = this.#findOnlyText(dialog);
    const own = this.#findFor(dialog).find(({ call }) => call?.content.text === text);
    this.#previews = this.#previews.filter((preview) => preview !== own);
  }

  /** Drops previews from before the tool was idle once it works again. */
  onState(state: ToolState, now: number): void {
    const since = this.#idleSince;
    if (state === "idle") this.#idleSince = since ?? now;
    else if (since !== null) {
      this.#idleSince = null;
      if (now - since >= IDLE_MS) this.#previews = this.#previews.filter(({ at }) => since - at <= IDLE_MS);
    }
  }

  /** Null: no preview fits, or two different ones do. */
  #findOnlyText(dialog: Candidate): string | null {
    const [text, ...others] = new Set(this.#findFor(dialog).map(({ call }) => call?.content.text));
    return text === undefined || others.length > 0 ? null : text;
  }

  #findFor(dialog: Candidate): readonly CallPreview[] {
    return this.#previews.filter(({ call }) => call !== null && matchesPreview(dialog, call));
  }
}

/** The keys go to a dialog that cannot be read, so people see its picture, too. */
function joinPreview({ promptType, content }: Candidate, previewText: string): string {
  return promptType === "unknown" ? `${previewText}\n\n${content.text}` : previewText;
}
