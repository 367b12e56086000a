/** The open prompts of a terminal session: raises, answers and withdraws what the screen and the requests of a tool show. */
import type { Fingerprint, PromptId } from "../../../../model/ids.js";
import type { InjectionResult, WithdrawReason } from "../../../../sdk/adapter.js";
import type { Candidate } from "../../../../sdk/candidate.js";
import type { PendingRequest } from "../../../prompts/pending-request.js";
import { holdsOtherText } from "../../../answer/screen-match.js";
import { CLOSING_MS } from "../../../detection/live/tracker-limits.js";
import type { TrackerOutput } from "../../../detection/live/tracker.js";
import type { ReplyPath, RequestEnd } from "../../../prompts/reply-path.js";
import { END_REPORTED_WITHIN_MS } from "../../../prompts/limits.js";
import { Prompt, readQuestion, type OpenPrompt } from "./open-prompt.js";
import {
  advanceRegistry,
  EMPTY_REGISTRY,
  type RegistryInput,
  type RegistryOutput,
  type RegistryEntry,
  type WaitingRequest,
} from "./prompt-state.js";
import type { PromptRegistryOptions } from "./prompt-registry-options.js";

type Raise = Extract<TrackerOutput, { kind: "raise" }>;

export class PromptRegistry {
  /** The tool was told to end: from now on the end of a prompt is no answer, and no prompt ends before the tool does. */
  isEnding = false;
  readonly #options: PromptRegistryOptions;
  readonly #prompts = new Map<number, Prompt>();
  #registry = EMPTY_REGISTRY;
  /** A dialog that appeared while an answer is injected, usually a page of the same answer. Raised afterwards if still open. */
  #nextDialog: Raise | null = null;
  #answeredDialog: Candidate | undefined;
  #lastAnswered: { readonly request: PendingRequest; readonly until: number } | null = null;
  /** Keys of ours were written without a proof: until then a reported answer may be ours. */
  #unprovedUntil = -Infinity;
  #isEnded = false;
  #count = 0;
  #requestCount = 0;

  constructor(options: PromptRegistryOptions) {
    this.#options = options;
  }

  get drawnPrompt(): OpenPrompt | null {
    const entry = this.#registry.entries.find(({ drawn }) => drawn !== null);
    return (entry && this.#prompts.get(entry.key)) ?? null;
  }

  /** Its end is reported by the receipt, not by a withdrawal. */
  get promptBeingAnswered(): OpenPrompt | null {
    return this.#prompts.get(this.#registry.answering ?? 0) ?? null;
  }

  get isAnswering(): boolean {
    return this.promptBeingAnswered !== null;
  }

  /** Whether any prompt is open, drawn or not. */
  get isAsking(): boolean {
    return this.#registry.entries.length > 0;
  }

  /** Whether a request is pending whose dialog is not on the screen, and whose end may not be reported. */
  get hasUndrawnRequest(): boolean {
    return this.#registry.entries.some(
      ({ drawn, waiting }) => drawn === null && waiting?.request.reportsEnd !== true,
    );
  }

  get count(): number {
    return this.#count;
  }

  find(promptId: PromptId): OpenPrompt | null {
    for (const prompt of this.#prompts.values()) if (prompt.event.promptId === promptId) return prompt;
    return null;
  }

  /** The request behind a prompt, as long as the tool waits for it. */
  findWaitingRequest({ entry }: OpenPrompt): WaitingRequest | null {
    return entry.waiting?.path.isOpen ? entry.waiting : null;
  }

  onTracker(output: Exclude<TrackerOutput, { kind: "state" }>): void {
    if (this.isEnding) return;
    if (output.kind === "raise" && this.#isAnswered(output.candidate)) this.#expectClose(output.candidate);
    else if (output.kind === "raise" && this.promptBeingAnswered) this.#nextDialog = output;
    else if (output.kind === "raise") this.#enterDrawn(output);
    else if (this.#nextDialog) this.#nextDialog = null;
    // Keys of ours are only written by an injection, whose receipt reports the result.
    else
      this.#enter({
        kind: "left",
        reason: output.reason === "answered_by_us" ? "left_screen" : output.reason,
      });
  }

  /** Opens a prompt for a request; its answer goes back by `path`. */
  open(request: PendingRequest, path: ReplyPath): void {
    if (this.#isEnded || this.isEnding) return void path.answer(null);
    const id = ++this.#requestCount;
    path.onEnd((why) => this.#onRequestEnd(id, why));
    this.#enter({ kind: "opened", waiting: { id, request, path } });
  }

  /** Call when the tool reports that it is not blocked. */
  withdrawUndrawn(): void {
    if (this.isEnding) return;
    this.#enter({
      kind: "moved_on",
      typed: [...this.#prompts.values()].some((prompt) => this.#options.typedKeys.hasAnswered(prompt)),
    });
  }

  hasPrompt(fingerprint: Fingerprint): boolean {
    return [...this.#prompts.values()].some(({ event }) => event.fingerprint === fingerprint);
  }

  /** Raises what is still open of it as a new prompt. */
  raiseAnew(prompt: OpenPrompt): void {
    const { entry } = prompt;
    const waiting = this.findWaitingRequest(prompt);
    this.#enter({ kind: "dropped", key: entry.key });
    if (waiting) this.open(waiting.request, waiting.path);
  }

  startAnswer({ entry }: OpenPrompt): void {
    this.#answeredDialog = entry.drawn?.candidate;
    this.#enter({ kind: "answering", key: entry.key });
  }

  /** Call when the request behind a prompt got its answer: it is no longer pending, whatever became of the answer. */
  noteAnswered({ entry }: OpenPrompt): void {
    if (!entry.waiting) return;
    this.#noteEnd(entry.waiting.request);
    this.#enter({ kind: "ended", id: entry.waiting.id, typed: false, why: "lost" });
  }

  #noteEnd(request: PendingRequest): void {
    this.#lastAnswered = { request, until: this.#options.clock.monotonic() + CLOSING_MS };
  }

  /** Whether a request was answered before this dialog of it was found; true once. A pending equal request owns it instead. */
  #isAnswered(dialog: Candidate): boolean {
    const answered = this.#lastAnswered;
    if (answered === null || !answered.request.isDrawnBy?.(dialog)) return false;
    this.#lastAnswered = null;
    return !this.hasRequestFor(dialog) && this.#options.clock.monotonic() < answered.until;
  }

  /** Whether a request is pending that this can be the dialog of, and that is not drawn yet. */
  hasRequestFor(dialog: Candidate): boolean {
    return this.#registry.entries.some(
      ({ drawn, waiting }) => !drawn && waiting?.request.isDrawnBy?.(dialog),
    );
  }

  /** Returns the result for the hub, then raises what was held back. `isDrawn`: a dialog is open. `asksOn`: it may wait for more keys. */
  finishAnswer(outcome: InjectionResult, isDrawn: boolean, asksOn = false): InjectionResult {
    const result = treatAsNewPrompt(outcome);
    const taken = result.kind === "receipt" && result.receipt.outcome === "answered";
    const refused = result.kind === "refused" && result.stillAsked;
    const next = this.#nextDialog;
    this.#nextDialog = null;
    if (result.kind === "receipt" && !taken && result.receipt.bytesWritten > 0)
      this.#unprovedUntil = this.#options.clock.monotonic() + CLOSING_MS;
    const how = refused ? "refused" : taken && !asksOn ? "taken" : "unsettled";
    const outputs = this.#enter({ kind: "answered", how });
    // If it is raised again, it is found once more. A dialog that appeared while its own request was being answered is about to close.
    if (next && !outputs.some(({ kind }) => kind === "ask_anew")) {
      const isOurText = taken && holdsOtherText(this.#answeredDialog, next.candidate);
      const wasLast = taken && !isDrawn && this.#answeredDialog?.fingerprint === next.candidate.fingerprint;
      if (isOurText || wasLast || this.#isAnswered(next.candidate)) this.#expectClose(next.candidate);
      else this.#enterDrawn(next);
    }
    if (this.#isEnded) this.#end();
    return result;
  }

  /** Call when the tool is gone. An answer that is being injected still reports its result; nothing else can happen any more. */
  end(reason: "answered_locally" | "session_ended"): void {
    this.#isEnded = true;
    const { drawnPrompt, promptBeingAnswered } = this;
    for (const [key, prompt] of this.#prompts) {
      if (prompt === promptBeingAnswered) continue;
      this.#reportWithdrawn(prompt, prompt === drawnPrompt && !this.isEnding ? reason : "session_ended");
      this.#prompts.delete(key);
    }
    this.#registry = {
      ...this.#registry,
      entries: this.#registry.entries.filter(({ key }) => this.#prompts.has(key)),
    };
    this.#options.readings.stop();
    this.#options.events.push({ kind: "state", state: "ended" });
    if (!promptBeingAnswered) this.#end();
  }

  #end(): void {
    this.#prompts.clear();
    this.#registry = EMPTY_REGISTRY;
    this.#options.events.end();
  }

  #enterDrawn({ candidate, epoch }: Raise): void {
    this.#enter({ kind: "drawn", drawn: { candidate, epoch } });
    const entry = this.#registry.entries.find(({ drawn }) => drawn?.candidate === candidate);
    const prompt = entry && this.#prompts.get(entry.key);
    if (!prompt) return;
    prompt.foregroundGroup = this.#options.foregroundGroup();
    prompt.provenReaders = this.#options.signals.provenReaders;
    prompt.acceptsKeysAt = this.#options.clock.monotonic() + (candidate.dropsKeysMs ?? 0);
  }

  #onRequestEnd(id: number, reported: RequestEnd): void {
    if (this.isEnding) return;
    const why =
      reported === "answered" && this.#options.clock.monotonic() < this.#unprovedUntil ? "over" : reported;
    const entry = this.#registry.entries.find(({ waiting }) => waiting?.id === id);
    const isOver = why !== "lost";
    if (isOver && entry?.waiting) this.#noteEnd(entry.waiting.request);
    const prompt = entry && this.#prompts.get(entry.key);
    const typed = prompt !== undefined && this.#options.typedKeys.hasAnswered(prompt, isOver);
    const ended = { kind: "ended", id, typed, why } as const;
    // Keys prove an answer only if they were typed at its dialog.
    const isProved = isOver || (typed && entry?.drawn !== null) || entry?.key === this.#registry.answering;
    if (isProved || entry?.stampedBy === "screen") this.#enter(ended);
    else this.#options.clock.after(END_REPORTED_WITHIN_MS, () => this.isEnding || this.#enter(ended));
  }

  #enter(input: RegistryInput): readonly RegistryOutput[] {
    const { registry, outputs } = advanceRegistry(this.#registry, input);
    this.#registry = registry;
    for (const entry of registry.entries) {
      const prompt = this.#prompts.get(entry.key);
      if (prompt) prompt.entry = entry;
    }
    this.#options.readings.update(registry);
    for (const output of outputs) this.#carryOut(output);
    for (const key of this.#prompts.keys())
      if (!registry.entries.some((entry) => entry.key === key)) this.#prompts.delete(key);
    return outputs;
  }

  #carryOut(output: RegistryOutput): void {
    const prompt = "entry" in output ? this.#prompts.get(output.entry.key) : undefined;
    switch (output.kind) {
      case "raise":
        this.#raise(output.entry);
        break;
      case "withdraw":
        if (prompt) this.#reportWithdrawn(prompt, output.reason);
        break;
      case "differs":
        if (prompt) this.#reportDifferent(prompt);
        break;
      case "release":
        void output.waiting.path.answer(null);
        break;
      case "ask_anew":
        this.#options.detector.onReplyUnsettled();
        break;
      case "answered":
        this.#options.detector.onReplySettled(output.dialog);
        break;
      case "closing":
        this.#expectClose(output.dialog);
    }
  }

  /** The request of this dialog was answered a moment ago: the dialog is raised again only if it stays open. */
  #expectClose(dialog: Candidate): void {
    this.#options.detector.onRequestSettled(dialog, false);
  }

  #raise(entry: RegistryEntry): void {
    const { question, epoch, source } = readQuestion(entry);
    const event = this.#options.stamp(question, epoch, source);
    this.#count += 1;
    this.#prompts.set(entry.key, new Prompt(event, entry, this.#options.clock.monotonic()));
    if (!this.#isEnded) this.#options.events.push({ kind: "raised", event });
  }

  #reportDifferent({ event: { promptId } }: OpenPrompt): void {
    this.#options.events.push({ kind: "noted", promptId, note: "screen_differs" });
  }

  #reportWithdrawn({ event: { promptId } }: OpenPrompt, reason: WithdrawReason): void {
    this.#options.events.push({ kind: "withdrawn", promptId, reason });
  }
}

/**
 * It is unknown whether the hub has recorded the injection whose first byte was never written. For the hub this prompt is over
 * either way, and what is still open is raised again.
 */
function treatAsNewPrompt(result: InjectionResult): InjectionResult {
  const unrecorded = result.kind === "refused" && result.rejection.code === "not_recorded";
  return unrecorded ? { ...result, stillAsked: false } : result;
}
