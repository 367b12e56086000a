/** Answers a pending request of a hook or a protocol: the decision is its result, and no key is written. The effect is watched as with keys. */
import type { InjectionGate, InjectionResult } from "../../sdk/adapter.js";
import type { Candidate } from "../../sdk/candidate.js";
import type { Fingerprint } from "../../model/ids.js";
import type { ReceiptOutcome, ReceiptProof } from "../../model/answer/receipt.js";
import { createRefusal } from "../../model/answer/refusal.js";
import { createRefusedResult } from "../prompts/refusal.js";
import type { ReplyPath } from "../prompts/reply-path.js";
import type { RequestResult, RequestRoute } from "../prompts/pending-request.js";
import { Preconditions, BLOCKED, type Blocked } from "./preconditions.js";
import { waitFor, type TerminalPort } from "./terminal-port.js";
import { captureMoment, isSameAtAnySize, type ScreenMoment } from "./screen-match.js";
import {
  createDoubt,
  createEffect,
  watchEffect,
  type CommittingWrite,
  type ObservedEffect,
} from "./effect/effect.js";
import { DEFAULT_TIMINGS, type AnswerTimings } from "./timings.js";

export interface RequestAnswer {
  readonly path: Pick<ReplyPath, "isOpen" | "answer">;
  readonly route: RequestRoute;
  readonly result: RequestResult;
  /** The prompt's, as people saw it. */
  readonly fingerprint: Fingerprint;
  /** The request's dialog, when it is on the screen. */
  readonly dialog: Candidate | null;
}

export interface AnswerRequestOptions {
  readonly timings?: Partial<AnswerTimings>;
  /** The tool has reported since this instant (monotonic ms) that it no longer waits for a person. */
  readonly hasMovedOnSince: (instant: number) => boolean;
  /** A key that can answer its dialog was typed within the last so many ms. */
  readonly wasTypedAtDialog: (withinMs: number) => boolean;
  /** A recent key or click may have answered a dialog of it that was not detected. */
  readonly mayBeAnsweredLocally: () => boolean;
  /** The tool has the decision: its dialog is about to close. */
  readonly onDelivered: () => void;
  /** Aborted: the permission to answer was revoked. */
  readonly revoked?: AbortSignal | undefined;
  /** See `InjectOptions`. */
  readonly onBusy: (busy: boolean, touched: boolean) => void;
}

/** Never throws for anything the tool does. Outcomes as for keys; `failed`: the tool had stopped waiting and got nothing. */
export function answerRequest(
  port: TerminalPort,
  answer: RequestAnswer,
  gate: InjectionGate,
  options: AnswerRequestOptions,
): Promise<InjectionResult> {
  return new RequestInjection(port, answer, options).run(gate);
}

const NO_KEYS: CommittingWrite["plan"] = { steps: [], effect: { kind: "leaves" }, endsTool: false };

class RequestInjection {
  readonly #port: TerminalPort;
  readonly #answer: RequestAnswer;
  readonly #options: AnswerRequestOptions;
  readonly #timings: AnswerTimings;
  #freedAt = Infinity;

  constructor(port: TerminalPort, answer: RequestAnswer, options: AnswerRequestOptions) {
    this.#port = port;
    this.#answer = answer;
    this.#options = options;
    this.#timings = { ...DEFAULT_TIMINGS, ...options.timings };
  }

  async run(gate: InjectionGate): Promise<InjectionResult> {
    const { dialog, path } = this.#answer;
    const { revoked } = this.#options;
    const guard =
      dialog && new Preconditions(this.#port, dialog, { raisedGroup: null, revoked }, this.#timings);
    if (guard && !(await guard.awaitQuietKeyboard())) return this.#refuse("typing");
    if (dialog && (await this.#isTakenAtKeyboard(dialog))) return this.#refuse("withdrawn");
    if (!dialog) await this.#awaitTypedAnswer();
    if (!path.isOpen) return this.#refuse("withdrawn");
    try {
      await gate({ endsTool: false, route: this.#answer.route });
    } catch {
      return this.#refuse("not_recorded");
    }
    if (revoked?.aborted) return this.#failUnsent(BLOCKED.paused);
    if (!guard) return await this.#deliver(null);
    this.#options.onBusy(true, false);
    try {
      const stop = guard.findBlock();
      return stop ? this.#failUnsent(stop) : await this.#deliver(captureMoment(this.#port));
    } finally {
      this.#free(false);
    }
  }

  /** A tool that took an answer from the keyboard may keep its call open, and ours would seem accepted. So we wait until the dialog goes. */
  async #isTakenAtKeyboard(drawn: Candidate): Promise<boolean> {
    const { stepWithinMs } = this.#timings;
    if (!this.#options.wasTypedAtDialog(2 * stepWithinMs)) return false;
    const hasLeft = (): true | null => (isSameAtAnySize(drawn, this.#port.detect()) ? null : true);
    return (await waitFor(this.#port, hasLeft, stepWithinMs)) ?? false;
  }

  async #awaitTypedAnswer(): Promise<void> {
    const { path } = this.#answer;
    if (!this.#options.mayBeAnsweredLocally()) return;
    await waitFor(this.#port, () => (path.isOpen ? null : true), this.#timings.stepWithinMs);
  }

  async #deliver(moment: ScreenMoment | null): Promise<InjectionResult> {
    const { path, result } = this.#answer;
    const sentAt = this.#port.clock.monotonic();
    const delivery = await path.answer(result);
    if (delivery === "gone")
      return this.#report("failed", "the tool had stopped waiting for the decision", 0);
    const bytes = Buffer.byteLength(JSON.stringify(result));
    this.#options.onDelivered();
    if (delivery === "unknown")
      return this.#report(
        "uncertain",
        "nothing says whether the tool took the decision that was on its way",
        bytes,
      );
    const proof = (await this.#awaitEffect(moment, sentAt)) ?? this.#judgeUnseen(delivery);
    return this.#report(proof.outcome, proof.evidence, bytes, proof.proof);
  }

  /** Without a dialog the only proof is that the answer was read and that nobody else can have given one. */
  #judgeUnseen(delivery: "delivered" | "unread"): ObservedEffect {
    if (delivery === "unread") return UNREAD;
    return this.#options.mayBeAnsweredLocally() ? MAYBE_TYPED : TAKEN_UNSEEN;
  }

  /** Null: its dialog is not on the screen. */
  async #awaitEffect(moment: ScreenMoment | null, sentAt: number): Promise<ObservedEffect | null> {
    const { dialog } = this.#answer;
    if (!dialog || !moment || !isSameAtAnySize(dialog, moment.live)) return null;
    const { holdAfterMs, effectWithinMs } = this.#timings;
    const stopTimer = this.#port.clock.after(holdAfterMs, () => this.#free(true));
    const commit: CommittingWrite = {
      port: this.#port,
      timings: this.#timings,
      plan: NO_KEYS,
      moment,
      momentBefore: null,
      echoRows: [],
      isDisturbed: () => this.#port.typedAt() >= this.#freedAt,
      watches: [],
    };
    const look = (): ObservedEffect | null => (this.#options.hasMovedOnSince(sentAt) ? MOVED_ON : null);
    const movingOn = waitFor(this.#port, look, effectWithinMs);
    const leaving = watchEffect(commit, effectWithinMs);
    // Whichever sees an effect first counts; a dialog that stays for the whole time proves nothing.
    const proof =
      (await Promise.race([
        movingOn.then((seen) => seen ?? leaving),
        leaving.then((seen) => seen ?? movingOn),
      ])) ?? NO_EFFECT;
    stopTimer();
    return proof;
  }

  #free(touched: boolean): void {
    if (this.#freedAt !== Infinity) return;
    this.#freedAt = this.#port.clock.monotonic();
    this.#options.onBusy(false, touched);
  }

  #failUnsent({ why }: Blocked): InjectionResult {
    return this.#report("failed", `${why} before the decision was sent`, 0);
  }

  #refuse(code: "typing" | "withdrawn" | "not_recorded"): InjectionResult {
    return createRefusedResult(createRefusal(code), this.#answer.path.isOpen);
  }

  #report(
    outcome: ReceiptOutcome,
    evidence: string,
    bytesWritten: number,
    proof: ReceiptProof | null = null,
  ): InjectionResult {
    const { fingerprint, route } = this.#answer;
    const seen = {
      fingerprintBefore: fingerprint,
      fingerprintAfter: this.#port.detect()?.fingerprint ?? null,
    };
    return {
      kind: "receipt",
      receipt: { outcome, proof, route, evidence, bytesWritten, ...seen, endsTool: false },
    };
  }
}

const MOVED_ON = createEffect("the tool took the decision and went on");
const NO_EFFECT = createDoubt("the tool was given the decision, but its dialog still stands");
const TAKEN_UNSEEN = createEffect("the tool took the decision; its dialog was not on the screen", "read");
const UNREAD = createDoubt("the tool was given the decision, and has not shown that it read it");
const MAYBE_TYPED = createDoubt(
  "the tool was given the decision, but somebody typed at the terminal, where its dialog was not seen",
);
