import type { Fingerprint, PromptId } from "../../../../model/ids.js";
import type { AdapterEvent, InjectionResult } from "../../../../sdk/adapter.js";
import type { Candidate } from "../../../../sdk/candidate.js";
import type { PendingRequest } from "../../../prompts/pending-request.js";
import { holdsOtherText } from "../../../answer/screen-match.js";
import { CLOSING_MS } from "../../../detection/live/tracker-limits.js";
import type { TrackerOutput } from "../../../detection/live/tracker.js";
import type { ReplyPath, RequestEnd } from "../../../prompts/reply-path.js";
import { END_TOLD_WITHIN_MS } from "../../../prompts/limits.js";
import { Prompt, type OpenPrompt } from "./open-prompt.js";
import {
  advanceRegistry,
  EMPTY_REGISTRY,
  questionIn,
  type RegistryInput,
  type RegistryOutput,
  type RegistryEntry,
  type WaitingRequest,
} from "./prompt-state.js";
import type { PromptRegistryOptions } from "./prompt-registry-options.js";

type Raise = Extract<TrackerOutput, { kind: "raise" }>;

export class PromptRegistry {
  /** The tool was told to end: what its questions do from now on is no answer, and none of them is over before the tool is. */
  isEnding = false;
  readonly #options: PromptRegistryOptions;
  readonly #prompts = new Map<number, Prompt>();
  #registry = EMPTY_REGISTRY;
  /** A dialog that came up while an answer is put in: a page of the same answer as a rule. Raised after it, if it still stands. */
  #next: Raise | null = null;
  #answeredDialog: Candidate | undefined;
  #answered: { readonly request: PendingRequest; readonly until: number } | null = null;
  /** Keys of ours went in without a proof: until then the tool's word that something was answered may be about them. */
  #unprovedUntil = -Infinity;
  #ended = false;
  #count = 0;
  #requestCount = 0;

  constructor(options: PromptRegistryOptions) {
    this.#options = options;
  }

  get asked(): OpenPrompt | null {
    const entry = this.#registry.entries.find(({ drawn }) => drawn !== null);
    return (entry && this.#prompts.get(entry.key)) ?? null;
  }

  /** Its end is told by the receipt, not by a withdrawal. */
  get answering(): OpenPrompt | null {
    return this.#prompts.get(this.#registry.answering ?? 0) ?? null;
  }

  get isAnswering(): boolean {
    return this.answering !== null;
  }

  /** Whether anything is asked, drawn or not. */
  get isAsking(): boolean {
    return this.#registry.entries.length > 0;
  }

  /** A request waits whose dialog is not on the screen, and of which nobody might hear that it is over. */
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
  waiting({ entry }: OpenPrompt): WaitingRequest | null {
    return entry.waiting?.path.isOpen ? entry.waiting : null;
  }

  onTracker(output: Exclude<TrackerOutput, { kind: "state" }>): void {
    if (this.isEnding) return;
    if (output.kind === "raise" && this.#isAnswered(output.candidate)) this.#close(output.candidate);
    else if (output.kind === "raise" && this.answering) this.#next = output;
    else if (output.kind === "raise") this.#drawn(output);
    else if (this.#next) this.#next = null;
    // Keys of ours are only written by an injection, whose receipt says what became of it.
    else
      this.#enter({
        kind: "left",
        reason: output.reason === "answered_by_us" ? "left_screen" : output.reason,
      });
  }

  /** The tool waits for the answer to this request, which goes back by `path`. */
  open(request: PendingRequest, path: ReplyPath): void {
    if (this.#ended || this.isEnding) return void path.answer(null);
    const id = ++this.#requestCount;
    path.onEnd((why) => this.#requestEnded(id, why));
    this.#enter({ kind: "opened", waiting: { id, request, path } });
  }

  /** The tool says that it waits for nobody. */
  withdrawUndrawn(): void {
    if (this.isEnding) return;
    this.#enter({
      kind: "moved_on",
      typed: [...this.#prompts.values()].some((asked) => this.#options.typedKeys.hasAnswered(asked)),
    });
  }

  isAsked(fingerprint: Fingerprint): boolean {
    return [...this.#prompts.values()].some(({ event }) => event.fingerprint === fingerprint);
  }

  /** What still stands of it is asked as another question. */
  askAnew(asked: OpenPrompt): void {
    const { entry } = asked;
    const waiting = this.waiting(asked);
    this.#enter({ kind: "dropped", key: entry.key });
    if (waiting) this.open(waiting.request, waiting.path);
  }

  startAnswer({ entry }: OpenPrompt): void {
    this.#answeredDialog = entry.drawn?.candidate;
    this.#enter({ kind: "answering", key: entry.key });
  }

  /** The request behind a prompt has had its answer: it waits no more, whatever became of it. */
  answered({ entry }: OpenPrompt): void {
    if (!entry.waiting) return;
    this.#noteEnd(entry.waiting.request);
    this.#enter({ kind: "ended", id: entry.waiting.id, typed: false, why: "lost" });
  }

  #noteEnd(request: PendingRequest): void {
    this.#answered = { request, until: this.#options.clock.monotonic() + CLOSING_MS };
  }

  /** The dialog of a request that was answered before the dialog was found; said once. An equal request that waits has it. */
  #isAnswered(dialog: Candidate): boolean {
    const answered = this.#answered;
    if (answered === null || !answered.request.isDrawnBy?.(dialog)) return false;
    this.#answered = null;
    return !this.hasRequestFor(dialog) && this.#options.clock.monotonic() < answered.until;
  }

  /** A request waits that this can be the dialog of, and that is not drawn yet. */
  hasRequestFor(dialog: Candidate): boolean {
    return this.#registry.entries.some(
      ({ drawn, waiting }) => !drawn && waiting?.request.isDrawnBy?.(dialog),
    );
  }

  /** The result as the hub is to hear it; what was kept back meanwhile follows. `isDrawn`: a dialog stands, no last redraw of the answered one. */
  finishAnswer(outcome: InjectionResult, isDrawn: boolean): InjectionResult {
    const result = asNewQuestion(outcome);
    const taken = result.kind === "receipt" && result.receipt.outcome === "answered";
    const refused = result.kind === "refused" && result.stillAsked;
    const next = this.#next;
    this.#next = null;
    if (result.kind === "receipt" && !taken && result.receipt.bytesWritten > 0)
      this.#unprovedUntil = this.#options.clock.monotonic() + CLOSING_MS;
    const how = taken ? "taken" : refused ? "refused" : "unsettled";
    const outputs = this.#enter({ kind: "answered", how });
    // Asked anew, it is found once more. A dialog that came up while its own request was being answered is about to close.
    if (next && !outputs.some(({ kind }) => kind === "ask_anew")) {
      const isOurText = taken && holdsOtherText(this.#answeredDialog, next.candidate);
      const wasLast = taken && !isDrawn && this.#answeredDialog?.fingerprint === next.candidate.fingerprint;
      if (isOurText || wasLast || this.#isAnswered(next.candidate)) this.#close(next.candidate);
      else this.#drawn(next);
    }
    if (this.#ended) this.#end();
    return result;
  }

  /** The tool is gone. An answer that is being put in still tells its result; nothing else can happen any more. */
  end(reason: "answered_locally" | "session_ended"): void {
    this.#ended = true;
    const { asked, answering } = this;
    for (const [key, prompt] of this.#prompts) {
      if (prompt === answering) continue;
      this.#tellWithdrawn(prompt, prompt === asked && !this.isEnding ? reason : "session_ended");
      this.#prompts.delete(key);
    }
    this.#registry = {
      ...this.#registry,
      entries: this.#registry.entries.filter(({ key }) => this.#prompts.has(key)),
    };
    this.#options.events.push({ kind: "state", state: "ended" });
    if (!answering) this.#end();
  }

  #end(): void {
    this.#prompts.clear();
    this.#registry = EMPTY_REGISTRY;
    this.#options.events.end();
  }

  #drawn({ candidate, epoch }: Raise): void {
    this.#enter({ kind: "drawn", drawn: { candidate, epoch } });
    const entry = this.#registry.entries.find(({ drawn }) => drawn?.candidate === candidate);
    const prompt = entry && this.#prompts.get(entry.key);
    if (!prompt) return;
    prompt.foregroundGroup = this.#options.foregroundGroup();
    prompt.provenReaders = this.#options.signals.provenReaders;
    prompt.hearsAt = this.#options.clock.monotonic() + (candidate.deafMs ?? 0);
  }

  #requestEnded(id: number, told: RequestEnd): void {
    if (this.isEnding) return;
    const why = told === "answered" && this.#options.clock.monotonic() < this.#unprovedUntil ? "over" : told;
    const entry = this.#registry.entries.find(({ waiting }) => waiting?.id === id);
    const isOver = why !== "lost";
    if (isOver && entry?.waiting) this.#noteEnd(entry.waiting.request);
    const prompt = entry && this.#prompts.get(entry.key);
    const typed = prompt !== undefined && this.#options.typedKeys.hasAnswered(prompt, isOver);
    const gone = { kind: "ended", id, typed, why } as const;
    // Keys prove an answer only where they were typed at its dialog.
    const isProved = isOver || (typed && entry?.drawn !== null) || entry?.key === this.#registry.answering;
    if (isProved || entry?.stampedBy === "screen") this.#enter(gone);
    else this.#options.clock.after(END_TOLD_WITHIN_MS, () => this.isEnding || this.#enter(gone));
  }

  #enter(input: RegistryInput): readonly RegistryOutput[] {
    const { registry, outputs } = advanceRegistry(this.#registry, input);
    this.#registry = registry;
    for (const entry of registry.entries) {
      const prompt = this.#prompts.get(entry.key);
      if (prompt) prompt.entry = entry;
    }
    for (const output of outputs) this.#carryOut(output);
    for (const key of this.#prompts.keys())
      if (!registry.entries.some((entry) => entry.key === key)) this.#prompts.delete(key);
    return outputs;
  }

  #carryOut(output: RegistryOutput): void {
    switch (output.kind) {
      case "raise":
        this.#raise(output.entry);
        break;
      case "withdraw": {
        const prompt = this.#prompts.get(output.entry.key);
        if (prompt) this.#tellWithdrawn(prompt, output.reason);
        break;
      }
      case "release":
        void output.waiting.path.answer(null);
        break;
      case "ask_anew":
        this.#options.detector.onReplyUnsettled();
        break;
      case "closing":
        this.#close(output.dialog);
    }
  }

  /** The request of this dialog was answered a moment ago: the dialog is about to close, and asks again only if it stands then. */
  #close(dialog: Candidate): void {
    this.#options.detector.onRequestSettled(dialog, false);
  }

  #raise(entry: RegistryEntry): void {
    const { question, epoch, source } = questionIn(entry);
    const event = this.#options.stamp(question, epoch, source);
    this.#count += 1;
    this.#prompts.set(entry.key, new Prompt(event, entry, this.#options.clock.monotonic()));
    if (!this.#ended) this.#options.events.push({ kind: "raised", event });
  }

  #tellWithdrawn(
    { event }: OpenPrompt,
    reason: Extract<AdapterEvent, { kind: "withdrawn" }>["reason"],
  ): void {
    this.#options.events.push({ kind: "withdrawn", promptId: event.promptId, reason });
  }
}

/**
 * Nobody knows whether the hub has recorded the injection whose first byte was never written: this prompt is over for it either
 * way, and what still asks is asked anew.
 */
function asNewQuestion(result: InjectionResult): InjectionResult {
  const unrecorded = result.kind === "refused" && result.rejection.code === "not_recorded";
  return unrecorded ? { ...result, stillAsked: false } : result;
}
