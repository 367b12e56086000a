/** A tool's requests that wait for a person: each is raised, then answered exactly once by its id, or withdrawn. */
import { approvesHidden, describeHidden } from "../../model/hidden.js";
import type { Cancel, Clock } from "../../model/clock.js";
import type { Fingerprint, PromptId } from "../../model/ids.js";
import type { PromptEvent } from "../../model/prompt.js";
import type { Receipt, ReceiptOutcome } from "../../model/answer/receipt.js";
import { createRefusal, type Refusal } from "../../model/answer/refusal.js";
import { parseLegalValue, type Reply } from "../../model/answer/reply.js";
import type { InjectionGate, InjectionResult, ReaskResult, WithdrawReason } from "../../sdk/adapter.js";
import { makeVisible } from "../../safety/display.js";
import { revealPrompt, type StampedPrompt } from "../detection/stamp.js";
import { OpenPrompts, type OpenPrompt, type OpenPromptsOptions } from "./open-prompts.js";
import { createRefusedResult } from "./refusal.js";
import {
  getSource,
  withDeadline,
  type Acknowledged,
  type DeliveryProof,
  type PendingRequest,
  type RequestResult,
} from "./pending-request.js";

export type RefusalReason = "unattended" | "timed_out";

export interface PendingRequestsOptions extends OpenPromptsOptions {
  /** It was answered; `by` tells the person at the terminal where. */
  readonly onAnswered: (event: PromptEvent, label: string, by: "here" | "elsewhere") => void;
  readonly confirmDelivery: (acknowledged: Acknowledged | undefined) => Promise<DeliveryProof>;
  readonly withdrawReasonFor: (reason: unknown) => WithdrawReason;
  /** Somebody can answer: here, or wherever the hub asks. `attend` changes it. */
  readonly isAttended: boolean;
  readonly onRefused: (question: StampedPrompt, why: RefusalReason) => void;
  /** For unattended tools: a question is refused after this many ms without an answer. Absent or 0: it waits. */
  readonly limit?: { readonly clock: Clock; readonly ms: number };
}

interface OpenRequest extends OpenPrompt {
  readonly request: PendingRequest;
  isExpired: boolean;
  stopLimit: Cancel;
  /** Whether the person at the terminal has seen its hidden characters. */
  revealed: boolean;
  readonly resolve: (result: RequestResult) => void;
}

/** The first answer that approves hidden content shows the content instead, at the person's own terminal; the next answer counts. */
function revealFirst(open: OpenRequest, value: string): Refusal | null {
  const { content } = open.event;
  if (open.revealed || !content.hidden || !approvesHidden(open.event, value)) return null;
  open.revealed = true;
  const whole = makeVisible(revealPrompt(open.event) ?? "");
  return createRefusal(
    "hidden",
    `${describeHidden(content.hidden)}: nothing was answered. Whole, for you alone:\n${whole}\nAnswer again.`,
  );
}

export class PendingRequests extends OpenPrompts<OpenRequest> {
  readonly #options: PendingRequestsOptions;
  #isAttended: boolean;

  constructor(options: PendingRequestsOptions) {
    super(options);
    this.#options = options;
    this.#isAttended = options.isAttended;
  }

  /** The longest-waiting prompt that a person here may answer; null when there is none. */
  get first(): PromptEvent | null {
    return this.prompts.find(({ isAnswering }) => !isAnswering)?.event ?? null;
  }

  /** Resolves with the result for the tool; aborting `signal` withdraws the request. */
  open(request: PendingRequest, signal: AbortSignal): Promise<RequestResult> {
    if (!this.#isAttended) {
      this.#options.onRefused(request.prompt, "unattended");
      return Promise.resolve(request.refused);
    }
    const limited = this.#withLimit(request);
    return new Promise((resolve) => {
      const open: OpenRequest = {
        request: limited,
        event: this.#stampRequest(limited),
        isAnswering: false,
        isExpired: false,
        stopLimit: () => undefined,
        revealed: false,
        resolve,
      };
      const { limit } = this.#options;
      if (limit && limit.ms > 0) open.stopLimit = limit.clock.after(limit.ms, () => this.#expire(open));
      this.raise(open);
      const withdraw = (): void => this.#withdraw([open], this.#options.withdrawReasonFor(signal.reason));
      if (signal.aborted) withdraw();
      else signal.addEventListener("abort", withdraw, { once: true });
    });
  }

  /** `halt`: aborted when the permission to answer was revoked. */
  async answer(reply: Reply, gate: InjectionGate, halt?: AbortSignal): Promise<InjectionResult> {
    const open = this.find(reply.promptId);
    if (!open || open.isAnswering)
      return createRefusedResult(createRefusal(open ? "used" : "withdrawn"), false);
    if (this.#withdrawIfOver(open)) return createRefusedResult(CONTINUED, false);
    const { form } = open.event.constraints;
    const answered = open.request.answer({ ...reply, shownForm: form });
    if (!("result" in answered)) return createRefusedResult(answered, true);
    open.isAnswering = true;
    try {
      await gate({ endsTool: false, route: "protocol" });
    } catch {
      this.#raiseAgain(open);
      return createRefusedResult(createRefusal("not_recorded"), false);
    }
    if (!this.prompts.includes(open)) return createReceipt(open, ...RECEIPTS.overtaken, 0);
    if (halt?.aborted) {
      // The hub has recorded the injection, so the prompt is over for it.
      this.#raiseAgain(open);
      return createReceipt(open, "failed", "AtlasBridge was paused before the decision was sent", 0);
    }
    this.#settle(open, answered.result);
    this.#options.onAnswered(open.event, describeAnswer(open.event, reply.value), "elsewhere");
    const bytes = Buffer.byteLength(JSON.stringify(answered.result));
    const proof = await this.#options.confirmDelivery(open.request.acknowledged);
    return createReceipt(open, ...RECEIPTS[proof], proof === "overtaken" ? 0 : bytes);
  }

  answerHere(promptId: PromptId, value: string): Refusal | null {
    const open = this.find(promptId);
    if (!open || open.isAnswering) return createRefusal(open ? "used" : "withdrawn");
    if (this.#withdrawIfOver(open)) return CONTINUED;
    const legal = parseLegalValue(open.event, value);
    if (!legal.ok) return legal.rejection;
    const hidden = revealFirst(open, legal.value);
    if (hidden !== null) return hidden;
    const { form } = open.event.constraints;
    const answered = open.request.answer({ value: legal.value, shownForm: form });
    if (!("result" in answered)) return answered;
    this.#settle(open, answered.result);
    this.#options.onAnswered(open.event, describeAnswer(open.event, legal.value), "here");
    this.#options.onWithdrawn(open.event, "answered_locally");
    return null;
  }

  /** An answer to a finished step has no effect: it is not sent, and nothing counts as confirmed. */
  #withdrawIfOver(open: OpenRequest): boolean {
    if (open.request.isOver?.() !== true) return false;
    this.#withdraw([open], "went_on");
    return true;
  }

  /** Raises the question of a closed card again, if the tool still waits. */
  askAgain(promptId: PromptId, fingerprint: Fingerprint): ReaskResult {
    const open = this.find(promptId);
    if (!open) return this.hasEqual(fingerprint) ? "already" : "gone";
    if (open.isAnswering) return "already";
    this.#options.onWithdrawn(open.event, "superseded");
    this.#raiseAgain(open);
    return "anew";
  }

  /** When nobody will answer, the waiting requests are refused, and so are all later ones. */
  attend(isAttended: boolean): void {
    this.#isAttended = isAttended;
    if (isAttended) return;
    for (const open of this.prompts.filter(({ isAnswering }) => !isAnswering)) {
      this.#refuse(open, "unattended");
    }
  }

  withdrawAll(reason: WithdrawReason): void {
    this.#withdraw([...this.prompts], reason);
  }

  /** Settles all of them before reporting any, so that none of them becomes the next prompt meanwhile. */
  #withdraw(opens: readonly OpenRequest[], reason: WithdrawReason): void {
    const waiting = opens.filter((open) => this.prompts.includes(open));
    for (const open of waiting) this.#settle(open, open.request.cancelled);
    // A person who is answering one learns it from the receipt.
    for (const { isAnswering, event, request } of waiting)
      if (!isAnswering) this.#options.onWithdrawn(event, request.isOver?.() === true ? "went_on" : reason);
  }

  #expire(open: OpenRequest): void {
    open.isExpired = true;
    if (this.prompts.includes(open) && !open.isAnswering) this.#refuse(open, "timed_out");
  }

  #refuse(open: OpenRequest, why: RefusalReason): void {
    this.#settle(open, open.request.refused);
    this.#options.onRefused(open.request.prompt, why);
    this.#options.onWithdrawn(open.event, why === "timed_out" ? "refused_late" : why);
  }

  #withLimit(request: PendingRequest): PendingRequest {
    const { limit } = this.#options;
    if (!limit || limit.ms === 0) return request;
    return withDeadline(request, limit.clock.now() + limit.ms, true);
  }

  #settle(open: OpenRequest, result: RequestResult): void {
    open.stopLimit();
    this.remove(open);
    open.resolve(result);
  }

  #raiseAgain(open: OpenRequest): void {
    open.isAnswering = false;
    if (!this.prompts.includes(open)) return;
    if (open.isExpired) {
      this.#refuse(open, "timed_out");
      return;
    }
    open.event = this.#stampRequest(open.request);
    this.raise(open);
  }

  #stampRequest(request: PendingRequest): PromptEvent {
    return this.stamp(request.prompt, this.count + 1, getSource(request));
  }
}

const CONTINUED = createRefusal(
  "withdrawn",
  "The tool continued without an answer: it reports that the step it asked about is finished.",
);

const RECEIPTS: Readonly<Record<DeliveryProof, readonly [ReceiptOutcome, string]>> = {
  heard: ["answered", "the tool has read the decision: it responded to a request that was sent after it"],
  acknowledged: ["answered", "the tool acknowledged the decision"],
  overtaken: ["failed", "the tool had stopped waiting for the decision"],
  refused: ["uncertain", "the tool answered the decision with an error"],
  silent: ["uncertain", "the tool was given the decision and has not shown that it read it"],
  gone: ["uncertain", "the connection to the tool ended while it was given the decision"],
};

function describeAnswer({ choices, promptType, constraints }: PromptEvent, value: string): string {
  if (promptType !== "multiple_choice" || constraints.multi) return value;
  return choices[Number(value) - 1]?.label ?? value;
}

function createReceipt(
  { event: { fingerprint } }: OpenRequest,
  outcome: ReceiptOutcome,
  evidence: string,
  bytesWritten: number,
): InjectionResult {
  const made: Receipt = {
    outcome,
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
