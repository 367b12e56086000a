/**
 * The prompts of a session in a terminal (ADR 13). A dialog on the screen and a request of the tool are one prompt when they match, and
 * the one that came first says what people see. While a call waits, a dialog that shows none of the calls is no prompt: anybody can paint
 * over a terminal, and only the tool knows its call.
 */
import type { Clock } from "../../../../model/clock.js";
import type { Fingerprint, PromptId } from "../../../../model/ids.js";
import type { AdapterEvent, InjectionResult, ReaskResult, WithdrawReason } from "../../../../sdk/adapter.js";
import type { Candidate } from "../../../../sdk/candidate.js";
import type { EventQueue } from "../../../../observe/event-queue.js";
import { holdsOtherText } from "../../../answer/screen-match.js";
import type { LiveDetector } from "../../../detection/live/live-detector.js";
import { CLOSING_MS } from "../../../detection/live/tracker-limits.js";
import type { TrackerOutput } from "../../../detection/live/tracker.js";
import { END_REPORTED_WITHIN_MS } from "../../../prompts/limits.js";
import { OpenPrompts } from "../../../prompts/open-prompts.js";
import type { PendingRequest } from "../../../prompts/pending-request.js";
import type { ReplyPath, RequestEnd } from "../../../prompts/reply-path.js";
import type { StampPrompt } from "../../../prompts/stamp-prompt.js";
import type { TypedKeys } from "../keyboard/typed-keys.js";
import {
  findWithdrawReason,
  isCall,
  isUndrawn,
  readQuestion,
  type DialogOnScreen,
  type JoinedPrompt,
  type WaitingRequest,
} from "./joined-prompt.js";
import type { ReadingWatch } from "./reading-watch.js";

type Raise = Extract<TrackerOutput, { kind: "raise" }>;

export interface JoinedPromptsOptions {
  readonly clock: Clock;
  readonly events: EventQueue<AdapterEvent>;
  readonly stamp: StampPrompt;
  readonly foregroundGroup: () => number | null;
  readonly signals: { readonly provenReaders: readonly string[] | null };
  readonly detector: LiveDetector;
  readonly typedKeys: Pick<TypedKeys, "hasAnswered" | "describeEnd">;
  readonly readings: Pick<ReadingWatch, "update" | "stop">;
}

export class JoinedPrompts extends OpenPrompts<JoinedPrompt> {
  /** The tool was told to end, so changes of its screen are not reported as answers any more. */
  isEnding = false;
  readonly #options: JoinedPromptsOptions;
  /** The dialog on the screen, if it shows none of the calls that wait. */
  #aside: DialogOnScreen | null = null;
  /** A dialog that appeared while an answer is injected, usually a page of the same answer. Raised afterwards if still open. */
  #nextDialog: Raise | null = null;
  #answeredDialog: Candidate | undefined;
  #lastAnswered: { readonly request: PendingRequest; readonly until: number } | null = null;
  /** Until this monotonic ms a reported answer may be that of our unproved keys. */
  #unprovedUntil = -Infinity;
  #isEnded = false;
  #requestCount = 0;

  constructor(options: JoinedPromptsOptions) {
    const { events, stamp, typedKeys } = options;
    super({
      stamp,
      onRaised: (event) => events.push({ kind: "raised", event }),
      onWithdrawn: ({ promptId }, reason) => events.push(typedKeys.describeEnd(promptId, reason)),
    });
    this.#options = options;
  }

  get drawnPrompt(): JoinedPrompt | null {
    return this.prompts.find(({ drawn }) => drawn !== null) ?? null;
  }

  /** Its end is reported by the receipt, not by a withdrawal. */
  get promptBeingAnswered(): JoinedPrompt | null {
    return this.prompts.find(({ isAnswering }) => isAnswering) ?? null;
  }

  /** Whether a request is pending whose dialog is not on the screen, and whose end may not be reported. */
  get hasUndrawnRequest(): boolean {
    return this.prompts.some(isUndrawn);
  }

  /** The request behind a prompt, as long as the tool waits for it. */
  findWaitingRequest({ waiting }: JoinedPrompt): WaitingRequest | null {
    return waiting?.path.isOpen ? waiting : null;
  }

  hasRequestFor(dialog: Candidate): boolean {
    return this.#findUndrawnFor(dialog) !== undefined;
  }

  /** Tools show their dialogs in the order of the requests. */
  #findUndrawnFor(dialog: Candidate): JoinedPrompt | undefined {
    return this.prompts.find(({ drawn, waiting }) => !drawn && waiting?.request.matchesDialog?.(dialog));
  }

  onTracker(output: Exclude<TrackerOutput, { kind: "state" }>): void {
    if (this.isEnding) return;
    if (output.kind === "withdraw" && this.#nextDialog) this.#nextDialog = null;
    else if (output.kind === "withdraw") {
      // The receipt of an injection reports the result of our keys.
      const reason = output.reason === "answered_by_us" ? "left_screen" : output.reason;
      this.#change(() => this.#endDrawing(reason));
    } else if (this.#isAnswered(output.candidate)) this.#expectClose(output.candidate);
    else if (this.isAnswering) this.#nextDialog = output;
    else this.#enterDrawn(output);
  }

  #enterDrawn({ candidate, epoch }: Raise): void {
    this.#change(() => this.#draw({ candidate, epoch }));
    const { clock, foregroundGroup, signals } = this.#options;
    const prompt = this.drawnPrompt;
    if (prompt?.drawn?.candidate !== candidate) return;
    prompt.foregroundGroup = foregroundGroup();
    prompt.provenReaders = signals.provenReaders;
    prompt.acceptsKeysAt = clock.monotonic() + (candidate.dropsKeysMs ?? 0);
  }

  #draw(drawn: DialogOnScreen): void {
    // There is one screen: the previous dialog is gone, even if that was not reported.
    this.#endDrawing("superseded");
    const prompt = this.#findUndrawnFor(drawn.candidate);
    if (prompt) {
      prompt.drawn = drawn;
      prompt.isTyped = false;
    } else if (this.prompts.some(isCall)) this.#setAside(drawn);
    else this.#raise("screen", drawn, null);
  }

  #endDrawing(reason: Exclude<WithdrawReason, "session_ended">): void {
    this.#aside = null;
    const prompt = this.drawnPrompt;
    if (!prompt) return;
    const { waiting } = prompt;
    const isTyped = reason === "answered_locally";
    prompt.drawn = null;
    prompt.isTyped = isTyped;
    if (prompt.isAnswering) return;
    if (!waiting || (isTyped && !waiting.request.reportsEnd)) this.#drop(prompt, reason);
    // Otherwise its dialog is covered, drawn differently, or on its next page; the request is still pending, and may be answered.
    else if (prompt.stampedBy === "screen") {
      this.withdraw(prompt, reason);
      this.#wait(waiting);
    }
  }

  open(request: PendingRequest, path: ReplyPath): void {
    if (this.#isEnded || this.isEnding) return void path.answer(null);
    this.#requestCount += 1;
    const id = this.#requestCount;
    path.onEnd((why) => this.#onRequestEnd(id, why));
    this.#change(() => this.#wait({ id, request, path }));
  }

  #wait(waiting: WaitingRequest): void {
    const isShownBy = ({ candidate }: DialogOnScreen): boolean =>
      waiting.request.matchesDialog?.(candidate) === true;
    const aside = this.#aside;
    if (aside && isShownBy(aside)) {
      this.#aside = null;
      this.#raise("request", aside, waiting);
      return;
    }
    const prompt = this.prompts.find(
      ({ isAnswering, drawn, waiting: other }) => !isAnswering && drawn && !other && isShownBy(drawn),
    );
    if (prompt) prompt.waiting = waiting;
    else this.#raise("request", null, waiting);
  }

  #onRequestEnd(id: number, reported: RequestEnd): void {
    const { clock, typedKeys } = this.#options;
    const prompt = this.#findRequest(id);
    if (this.isEnding || !prompt?.waiting) return;
    const why = reported === "answered" && clock.monotonic() < this.#unprovedUntil ? "over" : reported;
    const isOver = why !== "lost";
    if (isOver) this.#noteAnswer(prompt.waiting.request);
    const typed = typedKeys.hasAnswered(prompt, isOver);
    // Keys prove an answer only if they were typed at its dialog.
    const isProved = isOver || (typed && prompt.drawn !== null) || prompt.isAnswering;
    if (isProved || prompt.stampedBy === "screen") this.#endRequest(id, typed, why);
    else clock.after(END_REPORTED_WITHIN_MS, () => this.isEnding || this.#endRequest(id, typed, why));
  }

  #endRequest(id: number, typed: boolean, why: RequestEnd): void {
    const prompt = this.#findRequest(id);
    // The dialog of a call that was answered is about to close. Of one that was lost, the tool still asks.
    const isLost = why === "lost" && !this.isAnswering;
    if (prompt) this.#change(() => this.#stopWaiting(prompt, typed, why), isLost);
  }

  #findRequest(id: number): JoinedPrompt | undefined {
    return this.prompts.find(({ waiting }) => waiting?.id === id);
  }

  #stopWaiting(prompt: JoinedPrompt, typed: boolean, why: RequestEnd): void {
    const { drawn, isAnswering, isTyped, stampedBy } = prompt;
    prompt.waiting = null;
    // The rows of a dialog are answered with keys. With a value of the request it would be unclear which row is meant.
    if (isAnswering || (drawn && stampedBy === "screen" && why === "lost")) return;
    const reason = findWithdrawReason(typed || isTyped, why);
    const isAskedAnew = drawn !== null && why === "lost" && reason !== "answered_locally";
    this.withdraw(prompt, isAskedAnew ? "superseded" : reason);
    if (isAskedAnew) this.#options.detector.onReplyUnsettled();
    else if (drawn && why !== "lost") this.#expectClose(drawn.candidate);
  }

  /** Call when the tool reports that it is not blocked: its undrawn requests were answered or dropped without a report. */
  withdrawUndrawn(): void {
    if (this.isEnding) return;
    const typed = this.prompts.some((prompt) => this.#options.typedKeys.hasAnswered(prompt));
    this.#change(() => {
      for (const prompt of this.prompts.filter((each) => isUndrawn(each) && !each.isAnswering))
        this.#drop(prompt, typed ? "answered_locally" : "taken_back");
    });
  }

  /** Raises the prompt of a closed card again, if the live screen or its request says that it is still open. */
  askAgain(promptId: PromptId, fingerprint: Fingerprint): ReaskResult {
    const { detector } = this.#options;
    // Only a screen that can be read now proves that a dialog is gone.
    const unseen = detector.isReadable ? "gone" : "unread";
    const prompt = this.find(promptId);
    if (prompt?.isAnswering || (!prompt && this.hasEqual(fingerprint))) return "already";
    if (prompt) return this.#isStillAsked(prompt) ? (this.#raiseAnew(prompt), "anew") : unseen;
    if (this.isAsking || detector.detectNow()?.fingerprint !== fingerprint) return unseen;
    // The dialog that is drawn there was not reported.
    detector.onReplyUnsettled();
    return "anew";
  }

  #isStillAsked(prompt: JoinedPrompt): boolean {
    const { detector } = this.#options;
    if (this.findWaitingRequest(prompt)) return true;
    if (prompt.drawn === null || detector.detectNow() === null) return false;
    return detector.isCurrent(prompt.drawn.epoch) || detector.isStale(prompt.drawn.epoch);
  }

  #raiseAnew(prompt: JoinedPrompt): void {
    const waiting = this.findWaitingRequest(prompt);
    this.#change(() => {
      this.withdraw(prompt, "superseded");
      if (prompt.drawn) this.#options.detector.onReplyUnsettled();
    });
    if (waiting) this.open(waiting.request, waiting.path);
  }

  startAnswer(prompt: JoinedPrompt): void {
    this.#answeredDialog = prompt.drawn?.candidate;
    prompt.isAnswering = true;
  }

  /** Call when the request behind a prompt got its answer, whatever became of the answer. */
  noteAnswered({ waiting }: JoinedPrompt): void {
    if (!waiting) return;
    this.#noteAnswer(waiting.request);
    this.#endRequest(waiting.id, false, "lost");
  }

  #noteAnswer(request: PendingRequest): void {
    this.#lastAnswered = { request, until: this.#options.clock.monotonic() + CLOSING_MS };
  }

  /** Whether a request was answered before this dialog of it was found; true once. A pending equal request owns it instead. */
  #isAnswered(dialog: Candidate): boolean {
    const answered = this.#lastAnswered;
    if (answered === null || !answered.request.matchesDialog?.(dialog)) return false;
    this.#lastAnswered = null;
    return !this.hasRequestFor(dialog) && this.#options.clock.monotonic() < answered.until;
  }

  /** Returns the result for the hub. `isDrawn`: a dialog is open. `asksOn`: the dialog may wait for more keys. */
  finishAnswer(outcome: InjectionResult, isDrawn: boolean, asksOn = false): InjectionResult {
    // The hub may have recorded the injection. So the prompt is over for the hub, and its question is raised again.
    const isUnrecorded = outcome.kind === "refused" && outcome.rejection.code === "not_recorded";
    const result = isUnrecorded ? { ...outcome, stillAsked: false } : outcome;
    const taken = result.kind === "receipt" && result.receipt.outcome === "answered";
    const next = this.#nextDialog;
    this.#nextDialog = null;
    if (result.kind === "receipt" && !taken && result.receipt.bytesWritten > 0)
      this.#unprovedUntil = this.#options.clock.monotonic() + CLOSING_MS;
    const refused = result.kind === "refused" && result.stillAsked;
    const how = refused ? "refused" : taken && !asksOn ? "taken" : "unsettled";
    const isAskedAnew = this.#change(() => this.#settle(how));
    // A dialog that appeared while its request was being answered is about to close.
    if (next && !isAskedAnew) {
      const isOurText = taken && holdsOtherText(this.#answeredDialog, next.candidate);
      const wasLast = taken && !isDrawn && this.#answeredDialog?.fingerprint === next.candidate.fingerprint;
      if (isOurText || wasLast || this.#isAnswered(next.candidate)) this.#expectClose(next.candidate);
      else this.#enterDrawn(next);
    }
    if (this.#isEnded) this.#close();
    return result;
  }

  /** `refused`: nothing was injected. Returns whether the dialog that is still open becomes another prompt. */
  #settle(how: "taken" | "refused" | "unsettled"): boolean {
    const prompt = this.promptBeingAnswered;
    if (!prompt) return false;
    const { drawn, waiting, isTyped } = prompt;
    prompt.isAnswering = false;
    if (how === "refused") {
      if (isTyped || (!drawn && !waiting)) this.#drop(prompt, isTyped ? "answered_locally" : "left_screen");
      return false;
    }
    this.remove(prompt);
    if (how === "taken") {
      if (drawn) this.#options.detector.onReplySettled(drawn.candidate);
      void waiting?.path.answer(null);
      return false;
    }
    // A dialog that belongs to another prompt is left alone.
    const isFree = this.drawnPrompt === null;
    if (isFree) this.#options.detector.onReplyUnsettled();
    if (waiting) this.#wait(waiting);
    return isFree;
  }

  /** Call when the tool is gone. An answer that is being injected still reports its result; nothing else can happen any more. */
  end(reason: "answered_locally" | "session_ended"): void {
    this.#isEnded = true;
    const { drawnPrompt } = this;
    for (const prompt of this.prompts.filter(({ isAnswering }) => !isAnswering))
      this.withdraw(prompt, prompt === drawnPrompt && !this.isEnding ? reason : "session_ended");
    this.#options.readings.stop();
    this.#options.events.push({ kind: "state", state: "ended" });
    if (!this.isAnswering) this.#close();
  }

  #close(): void {
    this.prompts.splice(0);
    this.#options.events.end();
  }

  /** `isLost`: the tool still asks what the screen shows beside its calls. */
  #change<T>(change: () => T, isLost = false): T {
    const changed = change();
    const { detector, readings } = this.#options;
    if (this.prompts.some(isCall)) this.#putCallsFirst();
    else if (this.#aside) {
      const { candidate } = this.#aside;
      this.#aside = null;
      if (isLost) detector.onReplyUnsettled();
      else this.#expectClose(candidate);
    }
    readings.update(this.prompts, this.#aside);
    return changed;
  }

  /** While a call waits, a dialog that shows none of the calls is no prompt, unless its answer is on its way. */
  #putCallsFirst(): void {
    const alone = this.prompts.find(({ drawn, waiting, isAnswering }) => drawn && !waiting && !isAnswering);
    if (alone) this.withdraw(alone, "superseded");
    const aside = alone?.drawn ?? this.#aside;
    if (aside) this.#setAside(aside);
  }

  #setAside(aside: DialogOnScreen): void {
    this.#aside = aside;
    for (const prompt of this.prompts) {
      if (!isCall(prompt) || prompt.drawn || prompt.differs) continue;
      prompt.differs = true;
      const { promptId } = prompt.event;
      this.#options.events.push({ kind: "noted", promptId, note: "screen_differs" });
    }
  }

  /** The request of this dialog was answered a moment ago: the dialog is raised again only if it stays open. */
  #expectClose(dialog: Candidate): void {
    this.#options.detector.onRequestSettled(dialog, false);
  }

  /** Leaves the request of a withdrawn prompt to the tool's own dialog. */
  #drop(prompt: JoinedPrompt, reason: WithdrawReason): void {
    this.withdraw(prompt, reason);
    void prompt.waiting?.path.answer(null);
  }

  #raise(
    stampedBy: JoinedPrompt["stampedBy"],
    drawn: DialogOnScreen | null,
    waiting: WaitingRequest | null,
  ): void {
    if (this.#isEnded) return;
    this.raise({
      event: this.stamp(...readQuestion({ stampedBy, drawn, waiting })),
      isAnswering: false,
      stampedBy,
      drawn,
      waiting,
      isTyped: false,
      differs: false,
      askedAt: this.#options.clock.monotonic(),
      foregroundGroup: null,
      provenReaders: null,
      acceptsKeysAt: -Infinity,
    });
  }
}
