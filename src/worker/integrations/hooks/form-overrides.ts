/**
 * Answers a form whose dialog is on the screen and whose tool accepts answers only once the dialog is closed. We close it with a key that
 * agrees to nothing; the tool then reports the outcome to a hook, whose response replaces it with the people's answer. If the tool sends
 * no such report, nothing was agreed to.
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

/** The tool calls the hook at once; where a command delivers its calls, on a busy machine, within tenths of a second. */
const REQUESTED_WITHIN_MS = 5000;

interface PendingOverride {
  readonly result: RequestResult;
  readonly onDelivery: (delivery: Delivery) => void;
  /** Our key was written. What the tool reports before that was answered by somebody else. */
  isClosing: boolean;
}

export class FormOverrides implements FormOverride {
  readonly #clock: Clock;
  #open: PendingOverride | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Closes the dialog and reports how `result` was delivered. One at a time. */
  async override(result: RequestResult, close: () => Promise<InjectionResult>): Promise<InjectionResult> {
    const delivery = new Promise<Delivery>(
      (onDelivery) => (this.#open = { result, onDelivery, isClosing: false }),
    );
    try {
      const closed = await close();
      if (closed.kind === "refused" || closed.receipt.outcome === "failed") return closed;
      const outcome = describeOutcome(await this.#awaitDelivery(delivery));
      // The key only closed the dialog: what the screen shows then tells nothing of the answer.
      const receipt = { ...closed.receipt, ...outcome };
      delete receipt.change;
      return { kind: "receipt", receipt };
    } finally {
      this.#open = null;
    }
  }

  /** A key of ours is about to be written. */
  onOurKey(): void {
    if (this.#open) this.#open.isClosing = true;
  }

  /** True: the tool receives the people's answer instead of the outcome that it reported. */
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

/** The dialog closes whatever the tool makes of the answer, so at most the reading is proved. */
function describeOutcome(delivery: Delivery | "never"): Pick<Receipt, "outcome" | "proof" | "evidence"> {
  const evidence = `the dialog was closed, and ${EVIDENCE[delivery]}`;
  return delivery === "delivered"
    ? { outcome: "answered", proof: "read", evidence }
    : { outcome: "uncertain", proof: null, evidence };
}
