/** The observed result of typing an answer into the tool. */
import type { Fingerprint } from "../ids.js";

export const RECEIPT_OUTCOMES = ["answered", "uncertain", "failed"] as const;
export type ReceiptOutcome = (typeof RECEIPT_OUTCOMES)[number];

/** `effect`: what the answer does was seen. `read`: only that the tool has read it, because no dialog shows more. */
export const RECEIPT_PROOFS = ["effect", "read"] as const;
export type ReceiptProof = (typeof RECEIPT_PROOFS)[number];

export const ANSWER_ROUTES = ["keys", "hook", "protocol"] as const;
/** How an answer reaches the tool: as keys, by a hook of the tool, or by a protocol. */
export type AnswerRoute = (typeof ANSWER_ROUTES)[number];

/**
 * `answered`: the effect was seen or, without a dialog, the tool has read the answer. `uncertain`: bytes were written, but nothing
 * was seen. `failed`: certainly not answered. Holds no reply text, and no screen text except `change`.
 */
export interface Receipt {
  readonly outcome: ReceiptOutcome;
  /** Of `answered`; null: not answered, or an older worker did not report it, and no more than `read` is claimed. */
  readonly proof: ReceiptProof | null;
  readonly route: AnswerRoute;
  /** Plain words: "the dialog closed", "the screen moved before the first key". */
  readonly evidence: string;
  readonly bytesWritten: number;
  readonly fingerprintBefore: Fingerprint | null;
  readonly fingerprintAfter: Fingerprint | null;
  /** The plan expected the tool to exit after this answer ("No, exit"). */
  readonly endsTool: boolean;
  /** For the answer `stop`, once the tool may have received the denial: the result of stopping. */
  readonly stop?: ReceiptBlock;
  /**
   * Of a key on a screen that no rule reads: the rows that changed after it, redacted; empty: rows only left the screen; null: no
   * change. For people's cards; the ledger does not keep it.
   */
  readonly change?: string | null;
}

export interface ReceiptBlock {
  /** The tool was seen to be idle. */
  readonly stopped: boolean;
  /** Plain words, as above. */
  readonly evidence: string;
}
