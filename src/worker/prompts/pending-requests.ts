/** A tool's requests that wait for a person: each is raised, answered exactly once by its own id, or taken back. */
import { approvesHidden, describeHidden } from "../../model/hidden.js";
import type { Cancel, Clock } from "../../model/clock.js";
import type { Fingerprint, PromptId } from "../../model/ids.js";
import type { PromptEvent } from "../../model/prompt.js";
import type { Receipt, ReceiptOutcome } from "../../model/answer/receipt.js";
import { createRejection, type Rejection } from "../../model/answer/rejection.js";
import { parseLegalValue, type Reply } from "../../model/answer/reply.js";
import type { InjectionGate, InjectionResult, ReaskResult, WithdrawReason } from "../../sdk/adapter.js";
import { makeVisible } from "../../safety/display.js";
import { revealPrompt, type StampedPrompt } from "../detection/stamp.js";
import { refused } from "./refused.js";
import type { StampQuestion } from "./stamp-question.js";
import {
  sourceOf,
  type Acknowledged,
  type DeliveryProof,
  type PendingRequest,
  type RequestResult,
} from "./pending-request.js";

/** Why a question was refused without a person's word: nobody can answer, or nobody did in time. */
export type RefusalReason = "unattended" | "timed_out";

export interface PendingRequestsOptions {
  readonly stamp: StampQuestion;
  readonly onRaised: (event: PromptEvent) => void;
  readonly onWithdrawn: (event: PromptEvent, reason: WithdrawReason) => void;
  /** It is answered; `by` whom in one word for the person at the terminal. */
  readonly onAnswered: (event: PromptEvent, label: string, by: "here" | "elsewhere") => void;
  /** Of the answer to one request; `acknowledged`: as that request says. */
  readonly confirmDelivery: (acknowledged: Acknowledged | undefined) => Promise<DeliveryProof>;
  /** What the reason of an abort says of a request that is taken back by it. */
  readonly withdrawReasonFor: (reason: unknown) => WithdrawReason;
  /** Somebody can answer: here, or wherever the hub asks. `attend` changes it. */
  readonly isAttended: boolean;
  /** Nobody can, or nobody has in time: it was refused. */
  readonly onRefused: (question: StampedPrompt, why: RefusalReason) => void;
  /** Where nobody sits at the tool: after so many ms without an answer a question is refused. Else, and with 0, it waits. */
  readonly limit?: { readonly clock: Clock; readonly ms: number };
}

interface Open {
  readonly request: PendingRequest;
  event: PromptEvent;
  answering: boolean;
  settled: boolean;
  /** Its time is over: it is not raised again. */
  isLate: boolean;
  stopLimit: Cancel;
  /** The person at the terminal was shown what is hidden of it. */
  revealed: boolean;
  readonly give: (result: RequestResult) => void;
}

/** The first answer that approves what is hidden shows it instead, at the person's own terminal; the next one counts. */
function hiddenFirst(open: Open, value: string): Rejection | null {
  const { content } = open.event;
  if (open.revealed || !content.hidden || !approvesHidden(open.event, value)) return null;
  open.revealed = true;
  const whole = makeVisible(revealPrompt(open.event) ?? "");
  return createRejection(
    "hidden",
    `${describeHidden(content.hidden)}: nothing was answered. Whole, for you alone:\n${whole}\nAnswer again.`,
  );
}

export class PendingRequests {
  readonly #options: PendingRequestsOptions;
  readonly #open: Open[] = [];
  #epoch = 0;
  #isAttended: boolean;

  constructor(options: PendingRequestsOptions) {
    this.#options = options;
    this.#isAttended = options.isAttended;
  }

  /** How many were ever raised. */
  get count(): number {
    return this.#epoch;
  }

  get isAsking(): boolean {
    return this.#open.length > 0;
  }

  get isAnswering(): boolean {
    return this.#open.some(({ answering }) => answering);
  }

  /** The one that has waited longest and that a person here may answer; null when there is none. */
  get first(): PromptEvent | null {
    return this.#open.find(({ answering }) => !answering)?.event ?? null;
  }

  /** Resolves with what goes back to the tool; an abort of `signal` withdraws the request. */
  open(request: PendingRequest, signal: AbortSignal): Promise<RequestResult> {
    if (!this.#isAttended) {
      this.#options.onRefused(request.question, "unattended");
      return Promise.resolve(request.refused);
    }
    const limited = this.#limited(request);
    return new Promise((give) => {
      const open: Open = {
        request: limited,
        event: this.#stamped(limited),
        answering: false,
        settled: false,
        isLate: false,
        stopLimit: () => undefined,
        revealed: false,
        give,
      };
      this.#open.push(open);
      const { limit } = this.#options;
      if (limit && limit.ms > 0) open.stopLimit = limit.clock.after(limit.ms, () => this.#timeUp(open));
      this.#options.onRaised(open.event);
      const withdraw = (): void => this.#withdraw([open], this.#options.withdrawReasonFor(signal.reason));
      if (signal.aborted) withdraw();
      else signal.addEventListener("abort", withdraw, { once: true });
    });
  }

  /** Never throws; see `Adapter.injectReply`. */
  async answer(reply: Reply, gate: InjectionGate): Promise<InjectionResult> {
    const open = this.#find(reply.promptId);
    if (!open || open.answering) return refused(createRejection(open ? "used" : "withdrawn"), false);
    if (this.#wentOn(open)) return refused(WENT_ON, false);
    const { form } = open.event.constraints;
    const answered = open.request.answer({ ...reply, shownForm: form });
    if (!("result" in answered)) return refused(answered, true);
    open.answering = true;
    try {
      await gate({ endsTool: false, route: "protocol" });
    } catch {
      this.#askAnew(open);
      return refused(createRejection("not_recorded"), false);
    }
    if (open.settled) return receipt(open, ...PROOFS.overtaken, 0);
    this.#settle(open, answered.result);
    this.#options.onAnswered(open.event, labelOf(open.event, reply.value), "elsewhere");
    const bytes = Buffer.byteLength(JSON.stringify(answered.result));
    const proof = await this.#options.confirmDelivery(open.request.acknowledged);
    return receipt(open, ...PROOFS[proof], proof === "overtaken" ? 0 : bytes);
  }

  /** An answer by the person at the terminal. Returns why it was not taken, or null. */
  answerHere(promptId: PromptId, value: string): Rejection | null {
    const open = this.#find(promptId);
    if (!open || open.answering) return createRejection(open ? "used" : "withdrawn");
    if (this.#wentOn(open)) return WENT_ON;
    const legal = parseLegalValue(open.event, value);
    if (!legal.ok) return legal.rejection;
    const hidden = hiddenFirst(open, legal.value);
    if (hidden !== null) return hidden;
    const { form } = open.event.constraints;
    const answered = open.request.answer({ value: legal.value, shownForm: form });
    if (!("result" in answered)) return answered;
    this.#settle(open, answered.result);
    this.#options.onAnswered(open.event, labelOf(open.event, legal.value), "here");
    this.#options.onWithdrawn(open.event, "answered_locally");
    return null;
  }

  /** An answer to what is done already has no effect: it is not given, and nothing is called confirmed by it. */
  #wentOn(open: Open): boolean {
    if (open.request.isOver?.() !== true) return false;
    this.#withdraw([open], "went_on");
    return true;
  }

  /** Raises the question of a settled card anew, if the tool still waits for its answer. */
  askAgain(promptId: PromptId, fingerprint: Fingerprint): ReaskResult {
    const open = this.#find(promptId);
    if (!open) return this.#open.some(({ event }) => event.fingerprint === fingerprint) ? "already" : "gone";
    if (open.answering) return "already";
    this.#options.onWithdrawn(open.event, "superseded");
    this.#askAnew(open);
    return "anew";
  }

  /** Where nobody will answer, what waits is refused, and so is all that is asked from now on. */
  attend(isAttended: boolean): void {
    this.#isAttended = isAttended;
    if (isAttended) return;
    for (const open of this.#open.filter(({ answering }) => !answering)) {
      this.#refuse(open, "unattended");
    }
  }

  /** The turn is cancelled, or the tool has ended: nobody answers any of them any more. */
  withdrawAll(reason: WithdrawReason): void {
    this.#withdraw([...this.#open], reason);
  }

  /** All of them, before anything is told of one: none is the next to be asked. */
  #withdraw(opens: readonly Open[], reason: WithdrawReason): void {
    const waiting = opens.filter(({ settled }) => !settled);
    for (const open of waiting) this.#settle(open, open.request.cancelled);
    // Whoever is answering one learns that from the receipt.
    for (const { answering, event, request } of waiting)
      if (!answering) this.#options.onWithdrawn(event, request.isOver?.() === true ? "went_on" : reason);
  }

  /** The answer that is under way goes on; if it is not put in, the question is refused then. */
  #timeUp(open: Open): void {
    open.isLate = true;
    if (!open.settled && !open.answering) this.#refuse(open, "timed_out");
  }

  #refuse(open: Open, why: RefusalReason): void {
    this.#settle(open, open.request.refused);
    this.#options.onRefused(open.request.question, why);
    this.#options.onWithdrawn(open.event, why === "timed_out" ? "timed_out" : "taken_back");
  }

  /** What its people see of its time is what it is waited for. */
  #limited(request: PendingRequest): PendingRequest {
    const { limit } = this.#options;
    if (!limit || limit.ms === 0) return request;
    const { question } = request;
    const answerBy = limit.clock.now() + limit.ms;
    return { ...request, question: { ...question, constraints: { ...question.constraints, answerBy } } };
  }

  #settle(open: Open, result: RequestResult): void {
    open.settled = true;
    open.stopLimit();
    this.#open.splice(this.#open.indexOf(open), 1);
    open.give(result);
  }

  #askAnew(open: Open): void {
    open.answering = false;
    if (open.settled) return;
    if (open.isLate) {
      this.#refuse(open, "timed_out");
      return;
    }
    open.event = this.#stamped(open.request);
    this.#options.onRaised(open.event);
  }

  #stamped(request: PendingRequest): PromptEvent {
    this.#epoch += 1;
    return this.#options.stamp(request.question, this.#epoch, sourceOf(request));
  }

  #find(promptId: PromptId): Open | undefined {
    return this.#open.find(({ event }) => event.promptId === promptId);
  }
}

const WENT_ON = createRejection(
  "withdrawn",
  "The tool continued without an answer: it reports that the step it asked about is finished.",
);

const PROOFS: Readonly<Record<DeliveryProof, readonly [ReceiptOutcome, string]>> = {
  heard: ["answered", "the tool has read the decision: it answered what was sent after it"],
  acknowledged: ["answered", "the tool acknowledged the decision"],
  overtaken: ["failed", "the tool had stopped waiting for the decision"],
  refused: ["uncertain", "the tool answered the decision with an error"],
  silent: ["uncertain", "the tool was given the decision and has not been heard of since"],
  gone: ["uncertain", "the connection to the tool ended while it was given the decision"],
};

function labelOf({ choices, promptType, constraints }: PromptEvent, value: string): string {
  if (promptType !== "multiple_choice" || constraints.multi) return value;
  return choices[Number(value) - 1]?.label ?? value;
}

function receipt(
  { event: { fingerprint } }: Open,
  outcome: ReceiptOutcome,
  evidence: string,
  bytesWritten: number,
): InjectionResult {
  const made: Receipt = {
    outcome,
    // There is no screen on which more could be seen.
    proof: outcome === "answered" ? "read" : null,
    route: "protocol",
    evidence,
    bytesWritten,
    fingerprintBefore: fingerprint,
    fingerprintAfter: null,
    endsTool: false,
  };
  return { kind: "receipt", receipt: made };
}
