/**
 * Keeps what the tool's hooks reported about dialogs before drawing them (previews). A cut dialog is completed from its preview, so that
 * people see the whole request. The answer is still typed as keys, so a preview is used only when it is unambiguous: another program that
 * can call the hook could report something harmless, but it cannot keep the tool from reporting the truth, and then there are two
 * previews. Hence no preview may be forgotten before its dialog was answered.
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

/** A turn has a handful of dialogs. When there are more, an unreadable preview takes the place of each further one. */
const PREVIEWS_MAX = 64;
/**
 * Idleness is read from the screen, which may lag behind the hooks (by a second on a busy machine) and is empty for a moment between two
 * dialogs. So the tool has to be idle this long, and previews from this shortly before are kept.
 */
const IDLE_MS = 5000;

interface CallPreview {
  /** Null: it could not be read. */
  readonly call: ToolCallRequest | null;
  readonly form: PendingRequest | null;
  /** Monotonic ms. */
  readonly at: number;
}

export class HookPreviews implements DialogPreviews {
  #previews: readonly CallPreview[] = [];
  #idleSince: number | null = null;
  readonly #takesForms: boolean;
  readonly #asked: readonly string[];

  /** `takesForms`: the tool takes an answer to a form in the place of its dialog. `asked`: questions of calls that are always reported. */
  constructor(takesForms = false, asked: readonly string[] = []) {
    this.#takesForms = takesForms;
    this.#asked = asked;
  }

  /** Null: a preview that could not be read. Then no preview is used until the tool has been idle. */
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
    // Nobody saw these fields on the screen.
    const content = { ...form.prompt.content, cut: { told: true as const } };
    return { ...form.prompt, content, fingerprint: question.fingerprint };
  }

  /** The previewed content of a dialog that is cut; it stays marked as cut, because the rest was not on the screen. */
  completeContent(dialog: Candidate): PromptContent {
    const { content } = dialog;
    if (content.cut === null || this.#previews.some(({ call }) => call === null)) return content;
    const text = this.#findOnlyText(dialog);
    return text === null ? content : { text: joinPreview(dialog, text), cut: { told: true } };
  }

  /** The tool reports every call before it asks so, and none of the reported ones is shown. */
  #contradicts(dialog: Candidate): boolean {
    const isKnown = this.#previews.length > 0 && this.#previews.every(({ call }) => call !== null);
    const isReported = this.#asked.some((pattern) => matches(pattern, dialog.question));
    return isKnown && isReported && this.#findFor(dialog).length === 0;
  }

  /** The only call that the dialog can belong to; null when there are several. */
  findCall(dialog: Candidate): ToolCallRequest | null {
    const [only, ...others] = this.#findFor(dialog);
    return others.length === 0 ? (only?.call ?? null) : null;
  }

  /** The previewed form of a dialog that cannot be read. */
  findForm(dialog: Candidate): PendingRequest | null {
    if (dialog.promptType !== "unknown" || this.#previews.some(({ call }) => call === null)) return null;
    const text = this.#findOnlyText(dialog);
    return this.#findFor(dialog).find(({ call }) => call?.content.text === text)?.form ?? null;
  }

  /**
   * Forgets the preview of an answered dialog: another one that looks the same has its own preview. When two previews match, it is
   * unknown which one it was, and both are kept. A dialog that is covered or redrawn at another size comes back.
   */
  onDialogEnd(dialog: Candidate, reason: TrackerReason): void {
    if (reason === "left_screen" || reason === "superseded") return;
    const text = this.#findOnlyText(dialog);
    const own = this.#findFor(dialog).find(({ call }) => call?.content.text === text);
    this.#previews = this.#previews.filter((preview) => preview !== own);
  }

  /** Previews from before the tool was idle are dropped once it works again. */
  onState(state: ToolState, now: number): void {
    const since = this.#idleSince;
    if (state === "idle") this.#idleSince = since ?? now;
    else if (since !== null) {
      this.#idleSince = null;
      if (now - since >= IDLE_MS) this.#previews = this.#previews.filter(({ at }) => since - at <= IDLE_MS);
    }
  }

  /** Null: there is no preview of it, or there are two different ones. */
  #findOnlyText(dialog: Candidate): string | null {
    const [text, ...others] = new Set(this.#findFor(dialog).map(({ call }) => call?.content.text));
    return text === undefined || others.length > 0 ? null : text;
  }

  #findFor(dialog: Candidate): readonly CallPreview[] {
    return this.#previews.filter(({ call }) => call !== null && matchesPreview(dialog, call));
  }
}

/** For a dialog that cannot be read people see the picture as well: their keys go to it. */
function joinPreview({ promptType, content }: Candidate, previewText: string): string {
  return promptType === "unknown" ? `${previewText}\n\n${content.text}` : previewText;
}
