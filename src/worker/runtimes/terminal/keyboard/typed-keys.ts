/** Tracks what the person at the host's terminal typed lately, to tell whether a prompt may have been answered there. */
import type { Clock } from "../../../../model/clock.js";
import type { PromptId } from "../../../../model/ids.js";
import type { Withdrawn, WithdrawReason } from "../../../../sdk/adapter.js";
import { hasCommittingKey, mayAnswerDialog, splitKeys } from "../../../detection/keys.js";
import type { DialogOnScreen, JoinedPrompt } from "../joined/joined-prompt.js";
import { findTypedAnswer } from "./typed-answer.js";

/** A tool drops its hook call within milliseconds after an answer was typed at its dialog; on a loaded machine a second or two. */
const AT_DIALOG_WITHIN_MS = 2000;
/** The unreported end of a request is noticed two seconds later (`SilentHookEndDetector`). */
const AT_REQUEST_WITHIN_MS = 5000;
/** A busy machine reads a request this much later than the tool draws its dialog, which may be answered by then. */
const BEFORE_REQUEST_MS = 300;

/** The longest answer to a line is "yes" with its Enter. */
const ANSWER_KEYS_MAX = 8;
/** Stands for what was typed, and of which it is not known what the tool made of it. No answer looks like this. */
const UNCLEAR = "unclear";

export class TypedKeys {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #safeText: (text: string) => string;
  #typedAt = -Infinity;
  #actedAt = -Infinity;
  #reportedAt = -Infinity;
  #committed: JoinedPrompt | null = null;
  #committedAt = -Infinity;
  /** All that was typed at the last dialog. */
  #atDialog: {
    readonly prompt: JoinedPrompt;
    readonly drawn: DialogOnScreen;
    readonly keys: string[];
  } | null = null;

  constructor(clock: Pick<Clock, "monotonic">, safeText: (text: string) => string) {
    this.#clock = clock;
    this.#safeText = safeText;
  }

  /** When a person last typed, on the monotonic clock; also keys that are held back. */
  get typedAt(): number {
    return this.#typedAt;
  }

  get reportedAt(): number {
    return this.#reportedAt;
  }

  get committed(): JoinedPrompt | null {
    return this.#committed;
  }

  hasCommitted(prompt: JoinedPrompt, withinMs: number): boolean {
    return this.#committed === prompt && this.#clock.monotonic() - this.#committedAt <= withinMs;
  }

  /**
   * Whether an answer to this prompt was typed a moment ago. Where its dialog was not found, or the tool reports that it `isOver`, any key
   * or click since it was asked counts.
   */
  hasAnswered(prompt: JoinedPrompt, isOver = false): boolean {
    if (prompt.drawn !== null && !isOver) return this.hasCommitted(prompt, AT_DIALOG_WITHIN_MS);
    return this.#hasActedSince(prompt.askedAt - BEFORE_REQUEST_MS);
  }

  hasActed({ askedAt }: JoinedPrompt): boolean {
    return this.#hasActedSince(askedAt);
  }

  #hasActedSince(time: number): boolean {
    return this.#actedAt >= time && this.#clock.monotonic() - this.#actedAt <= AT_REQUEST_WITHIN_MS;
  }

  noteArrival(bytes: Uint8Array, typed: boolean): void {
    const now = this.#clock.monotonic();
    if (typed) this.#typedAt = now;
    else this.#reportedAt = now;
    if (mayAnswerDialog(bytes, typed)) this.#actedAt = now;
  }

  /** With the choice that was taken at the prompt's dialog, as it is drawn there, where the keys prove it. */
  describeEnd(promptId: PromptId, reason: WithdrawReason): Withdrawn {
    const end = { kind: "withdrawn", promptId, reason } as const;
    const typed = this.#atDialog;
    if (reason !== "answered_locally" || typed?.prompt.event.promptId !== promptId) return end;
    const answer = findTypedAnswer(typed.drawn.candidate, typed.keys);
    return answer === null ? end : { ...end, answer: this.#safeText(answer) };
  }

  #noteAtDialog(bytes: Uint8Array, prompt: JoinedPrompt): void {
    const { drawn } = prompt;
    if (drawn === null) return;
    if (this.#atDialog?.drawn !== drawn) this.#atDialog = { prompt, drawn, keys: [] };
    const keys = splitKeys(Buffer.from(bytes).toString("utf8"));
    // Pasted text is no key, and keys that come too soon may be dropped.
    const isUnclear = keys.length === 0 || this.#clock.monotonic() < prompt.acceptsKeysAt;
    const known = this.#atDialog.keys;
    if (known.length < ANSWER_KEYS_MAX)
      known.push(...(isUnclear ? [UNCLEAR] : keys.slice(0, ANSWER_KEYS_MAX)));
  }

  noteForwarded(bytes: Uint8Array, prompt: JoinedPrompt | null): void {
    if (prompt) this.#noteAtDialog(bytes, prompt);
    if (!prompt || !hasCommittingKey(bytes, prompt.drawn?.candidate.committingKeys ?? [])) return;
    this.#committed = prompt;
    this.#committedAt = this.#clock.monotonic();
  }
}
