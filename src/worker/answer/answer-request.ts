/**
 * Answers a pending request of a hook or a protocol: the decision goes back as its result, and no key is written. The keyboard wins until the
 * last moment, and the effect is watched as with keys.
 */
import type { InjectionGate, InjectionResult } from "../../sdk/adapter.js";
import type { Candidate } from "../../sdk/candidate.js";
import type { Fingerprint } from "../../model/ids.js";
import type { ReceiptOutcome, ReceiptProof } from "../../model/answer/receipt.js";
import { createRejection } from "../../model/answer/rejection.js";
import { refused } from "../prompts/refused.js";
import type { ReplyPath } from "../prompts/reply-path.js";
import type { RequestResult, RequestRoute } from "../prompts/pending-request.js";
import { Preconditions, BLOCKED, type Blocked } from "./preconditions.js";
import { waitFor, type TerminalPort } from "./terminal-port.js";
import { isSameAtAnySize, type ScreenMoment } from "./screen-match.js";
import { watchEffect, type CommittingWrite, type ObservedEffect } from "./effect/effect.js";
import { DEFAULT_TIMINGS, type AnswerTimings } from "./timings.js";
import { runExclusive } from "./run-exclusive.js";

export interface RequestAnswer {
  readonly path: Pick<ReplyPath, "isOpen" | "answer">;
  readonly route: RequestRoute;
  readonly result: RequestResult;
  /** Of the prompt that people saw. */
  readonly fingerprint: Fingerprint;
  /** The request's dialog, when it is on the screen. */
  readonly drawn: Candidate | null;
}

export interface AnswerRequestOptions {
  readonly timings?: Partial<AnswerTimings>;
  /** The tool said since this instant (monotonic ms) that it waits for nobody. */
  readonly movedOnSince: (instant: number) => boolean;
  /** An answer was typed at its dialog within the last so many ms. */
  readonly isTyped: (withinMs: number) => boolean;
  /** What a person has typed or clicked a moment ago, since it was asked, may have answered a dialog of it that nobody has found. */
  readonly mayBeTyped: () => boolean;
  /** The tool has the decision: its dialog is about to close. */
  readonly onDelivered: () => void;
  /** Aborted: the leave to answer was taken back. */
  readonly halt?: AbortSignal | undefined;
  /** As for keys: what is typed meanwhile is held back. */
  readonly onBusy: (busy: boolean, touched: boolean) => void;
}

/** Never throws for anything the tool does. Outcomes as for keys; `failed`: the tool had stopped waiting and got nothing. */
export function answerRequest(
  port: TerminalPort,
  answer: RequestAnswer,
  gate: InjectionGate,
  options: AnswerRequestOptions,
): Promise<InjectionResult> {
  return runExclusive(port, () => new RequestInjection(port, answer, options).run(gate));
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
    const { drawn, path } = this.#answer;
    const { halt } = this.#options;
    const guard = drawn && new Preconditions(this.#port, drawn, { raisedGroup: null, halt }, this.#timings);
    if (guard && !(await guard.awaitQuietKeyboard())) return this.#refused("typing");
    if (drawn && (await this.#isTakenAtKeyboard(drawn))) return this.#refused("withdrawn");
    if (!drawn) await this.#untilTyped();
    if (!path.isOpen) return this.#refused("withdrawn");
    try {
      await gate({ endsTool: false, route: this.#answer.route });
    } catch {
      return this.#refused("not_recorded");
    }
    if (halt?.aborted) return this.#unsent(BLOCKED.paused);
    if (!guard) return await this.#deliver(null);
    this.#options.onBusy(true, false);
    try {
      const stop = guard.stopNow();
      return stop ? this.#unsent(stop) : await this.#deliver(guard.look());
    } finally {
      this.#free(false);
    }
  }

  /**
   * A tool that takes a Yes from the keyboard need not end its call, and lets us believe that it took ours. So where an answer was
   * typed we wait for what it does: with the dialog gone it was taken, with the dialog there it was none.
   */
  async #isTakenAtKeyboard(drawn: Candidate): Promise<boolean> {
    const { stepWithinMs } = this.#timings;
    if (!this.#options.isTyped(2 * stepWithinMs)) return false;
    const gone = (): true | null => (isSameAtAnySize(drawn, this.#port.detect()) ? null : true);
    return (await waitFor(this.#port, gone, stepWithinMs)) ?? false;
  }

  /** Whoever asks says within a moment that it is over, if that was the answer. */
  async #untilTyped(): Promise<void> {
    const { path } = this.#answer;
    if (!this.#options.mayBeTyped()) return;
    await waitFor(this.#port, () => (path.isOpen ? null : true), this.#timings.stepWithinMs);
  }

  async #deliver(look: ScreenMoment | null): Promise<InjectionResult> {
    const { path, result } = this.#answer;
    const sentAt = this.#port.clock.monotonic();
    const delivery = await path.answer(result);
    if (delivery === "gone")
      return this.#receipt("failed", "the tool had stopped waiting for the decision", 0);
    const bytes = Buffer.byteLength(JSON.stringify(result));
    this.#options.onDelivered();
    if (delivery === "unknown")
      return this.#receipt(
        "uncertain",
        "nothing says whether the tool took the decision that was on its way",
        bytes,
      );
    const proof = (await this.#effect(look, sentAt)) ?? this.#unseen(delivery);
    return this.#receipt(proof.outcome, proof.evidence, bytes, proof.proof);
  }

  /** No dialog shows what the answer does: all that proves it is that it was read, and that nobody else can have given one. */
  #unseen(delivery: "delivered" | "unread"): ObservedEffect {
    if (delivery === "unread") return UNREAD;
    return this.#options.mayBeTyped() ? MAYBE_TYPED : TAKEN_UNSEEN;
  }

  /** Null: its dialog is not on the screen. */
  async #effect(look: ScreenMoment | null, sentAt: number): Promise<ObservedEffect | null> {
    const { drawn } = this.#answer;
    if (!drawn || !look || !isSameAtAnySize(drawn, look.live)) return null;
    const { holdAfterMs, effectWithinMs } = this.#timings;
    const stopTimer = this.#port.clock.after(holdAfterMs, () => this.#free(true));
    const commit = {
      plan: NO_KEYS,
      look,
      before: null,
      echo: [],
      disturbed: () => this.#port.typedAt() >= this.#freedAt,
      // No key is written.
      taken: [],
    };
    const movedOn = waitFor(
      this.#port,
      () => (this.#options.movedOnSince(sentAt) ? MOVED_ON : null),
      effectWithinMs,
    );
    const left = watchEffect(this.#port, commit, effectWithinMs, this.#timings);
    // Whichever sees it first; a dialog that stands for the whole time is no proof of anything.
    const proof =
      (await Promise.race([movedOn.then((seen) => seen ?? left), left.then((seen) => seen ?? movedOn)])) ??
      NO_EFFECT;
    stopTimer();
    return proof;
  }

  #free(touched: boolean): void {
    if (this.#freedAt !== Infinity) return;
    this.#freedAt = this.#port.clock.monotonic();
    this.#options.onBusy(false, touched);
  }

  #unsent({ why }: Blocked): InjectionResult {
    return this.#receipt("failed", `${why} before the decision was sent`, 0);
  }

  #refused(code: "typing" | "withdrawn" | "not_recorded"): InjectionResult {
    return refused(createRejection(code), this.#answer.path.isOpen);
  }

  #receipt(
    outcome: ReceiptOutcome,
    evidence: string,
    bytesWritten: number,
    proof: ReceiptProof | null = null,
  ): InjectionResult {
    const fingerprintAfter = this.#port.detect()?.fingerprint ?? null;
    const { fingerprint: fingerprintBefore, route } = this.#answer;
    const receipt = {
      outcome,
      proof,
      route,
      evidence,
      bytesWritten,
      fingerprintBefore,
      fingerprintAfter,
      endsTool: false,
    };
    return { kind: "receipt", receipt };
  }
}

const MOVED_ON: ObservedEffect = {
  outcome: "answered",
  proof: "effect",
  evidence: "the tool took the decision and went on",
};
const NO_EFFECT: ObservedEffect = {
  outcome: "uncertain",
  evidence: "the tool was given the decision, but its dialog still stands",
};
const TAKEN_UNSEEN: ObservedEffect = {
  outcome: "answered",
  proof: "read",
  evidence: "the tool took the decision; its dialog was not on the screen",
};
const UNREAD: ObservedEffect = {
  outcome: "uncertain",
  evidence: "the tool was given the decision, and has not shown that it read it",
};
const MAYBE_TYPED: ObservedEffect = {
  outcome: "uncertain",
  evidence:
    "the tool was given the decision, but somebody typed at the terminal, where its dialog was not seen",
};
