/**
 * The answer to a form whose dialog is drawn, and whose tool takes answers only once the dialog is closed: we close it by a key that
 * agrees to nothing, the tool tells what was answered, and is told what people did answer. If it does not ask, nothing was agreed to.
 */
import type { Clock } from "../../../model/clock.js";
import type { Receipt } from "../../../model/answer/receipt.js";
import type { InjectionResult } from "../../../sdk/adapter.js";
import type { HookEvent } from "../../adapter-format/compiled/compiled-hooks.js";
import type { FormOverride } from "../../runtimes/side-channel.js";
import type { HookCall } from "./hook-call.js";
import { hookOutput } from "./hook-request.js";
import type { Delivery } from "../../prompts/reply-path.js";
import type { RequestResult } from "../../prompts/pending-request.js";

/** The tool asks at once; where a command brings its calls, on a busy machine, within tenths of a second. */
const ASKED_WITHIN_MS = 5000;

interface Open {
  readonly result: RequestResult;
  readonly taken: (delivery: Delivery) => void;
  /** Our key is on its way. What the tool tells before that, somebody else has answered. */
  isClosing: boolean;
}

export class FormOverrides implements FormOverride {
  readonly #clock: Clock;
  #open: Open | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Closes the dialog, and tells what became of `result`. One at a time. */
  async override(result: RequestResult, close: () => Promise<InjectionResult>): Promise<InjectionResult> {
    const delivery = new Promise<Delivery>((taken) => (this.#open = { result, taken, isClosing: false }));
    try {
      const closed = await close();
      if (closed.kind === "refused" || closed.receipt.outcome === "failed") return closed;
      const told = OUTCOMES[await this.#within(delivery)];
      return { kind: "receipt", receipt: { ...closed.receipt, ...told } };
    } finally {
      this.#open = null;
    }
  }

  /** A key of ours is about to be written. */
  onOurKey(): void {
    if (this.#open) this.#open.isClosing = true;
  }

  /** True: the tool gets what people answered in the place of what it tells. */
  take(call: HookCall, { field, was }: NonNullable<HookEvent["corrects"]>): boolean {
    const open = this.#open;
    if (!open?.isClosing || call.body[field] !== was) return false;
    this.#open = null;
    void call.answer(hookOutput(call.event, open.result)).then(open.taken);
    return true;
  }

  async #within(delivery: Promise<Delivery>): Promise<Delivery | "never"> {
    let cancel = (): void => undefined;
    const late = new Promise<"never" | "unread">((resolve) => {
      cancel = this.#clock.after(ASKED_WITHIN_MS, () => resolve(this.#open ? "never" : "unread"));
    });
    const first = await Promise.race([delivery, late]);
    cancel();
    return first;
  }
}

const OUTCOMES: Readonly<Record<Delivery | "never", Pick<Receipt, "outcome" | "proof" | "evidence">>> = {
  delivered: {
    outcome: "answered",
    // The dialog closes whatever the tool makes of the answer.
    proof: "read",
    evidence: "the dialog was closed, and the tool took the answer in its place",
  },
  gone: {
    outcome: "uncertain",
    proof: null,
    evidence: "the dialog was closed, and the tool did not wait for the answer",
  },
  unread: {
    outcome: "uncertain",
    proof: null,
    evidence: "the dialog was closed, and the tool has not shown that it read the answer in its place",
  },
  unknown: {
    outcome: "uncertain",
    proof: null,
    evidence: "the connection broke while the tool took the answer",
  },
  never: {
    outcome: "uncertain",
    proof: null,
    evidence: "the dialog was closed, and the tool did not ask for the answer",
  },
};
