/**
 * Answers a form whose tool accepts answers only once its dialog is closed. We close the dialog with a key that agrees to nothing; the
 * tool then reports the outcome to a hook, whose response replaces it with the people's answer. Without that report nothing was agreed
 * to.
 */
import type { Clock } from "../../../model/clock.js";
import type { Receipt } from "../../../model/answer/receipt.js";
import type { InjectionResult } from "../../../sdk/adapter.js";
import type { HookEvent } from "../../adapter-format/compiled/compiled-hooks.js";
import type { FormOverride } from "../../runtimes/side-channel.js";
import type { HookCall } from "./hook-call.js";
import { encodeHookOutput } from "./hook-request.js";
import type { Delivery } from "../../prompts/reply-path.js";
import type { RequestResult } from "../../prompts/pending-request.js";

/** A command that delivers the call takes tenths of a second on a busy machine. */
const REQUESTED_WITHIN_MS = 5000;

interface PendingOverride {
  readonly result: RequestResult;
  readonly onDelivery: (delivery: Delivery) => void;
  /** Our key was written: earlier reports are about somebody else's answer. */
  isClosing: boolean;
}

export class FormOverrides implements FormOverride {
  readonly #clock: Clock;
  #open: PendingOverride | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Only one at a time. */
  async override(result: RequestResult, close: () => Promise<InjectionResult>): Promise<InjectionResult> {
    const delivery = new Promise<Delivery>(
      (onDelivery) => (this.#open = { result, onDelivery, isClosing: false }),
    );
    try {
      const closed = await close();
      if (closed.kind === "refused" || closed.receipt.outcome === "failed") return closed;
      const outcome = describeOutcome(await this.#awaitDelivery(delivery));
      // Our key closed the dialog, so the screen proves nothing about the answer.
      const receipt = { ...closed.receipt, ...outcome };
      delete receipt.change;
      return { kind: "receipt", receipt };
    } finally {
      this.#open = null;
    }
  }

  onOurKey(): void {
    if (this.#open) this.#open.isClosing = true;
  }

  take(call: HookCall, { field, was }: NonNullable<HookEvent["override"]>): boolean {
    const open = this.#open;
    if (!open?.isClosing || call.body[field] !== was) return false;
    this.#open = null;
    void call.answer(encodeHookOutput(call.event, open.result)).then(open.onDelivery);
    return true;
  }

  async #awaitDelivery(delivery: Promise<Delivery>): Promise<Delivery | "never"> {
    let cancel = (): void => undefined;
    const late = new Promise<"never" | "unread">((resolve) => {
      cancel = this.#clock.after(REQUESTED_WITHIN_MS, () => resolve(this.#open ? "never" : "unread"));
    });
    const first = await Promise.race([delivery, late]);
    cancel();
    return first;
  }
}

const EVIDENCE: Readonly<Record<Delivery | "never", string>> = {
  delivered: "the tool took the answer in its place",
  gone: "the tool did not wait for the answer",
  unread: "the tool has not shown that it read the answer in its place",
  unknown: "the connection broke while the tool took the answer",
  never: "the tool did not ask for the answer",
};

/** The dialog closes in any case, so at most the reading is proved. */
function describeOutcome(delivery: Delivery | "never"): Pick<Receipt, "outcome" | "proof" | "evidence"> {
  const evidence = `the dialog was closed, and ${EVIDENCE[delivery]}`;
  return delivery === "delivered"
    ? { outcome: "answered", proof: "read", evidence }
    : { outcome: "uncertain", proof: null, evidence };
}
