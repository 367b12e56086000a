/** What was seen to happen after an answer was (or was not) put into the tool. */
import type { Fingerprint } from "../ids.js";

export const RECEIPT_OUTCOMES = ["answered", "uncertain", "failed"] as const;
export type ReceiptOutcome = (typeof RECEIPT_OUTCOMES)[number];

export const ANSWER_ROUTES = ["keys", "hook", "protocol"] as const;
export type AnswerRoute = (typeof ANSWER_ROUTES)[number];

/**
 * `answered`: the effect was seen, or without a dialog: the tool has read it. `uncertain`: bytes were written, no proof. `failed`: proved not written.
 * Holds no reply text and no screen text.
 */
export interface Receipt {
  readonly outcome: ReceiptOutcome;
  readonly route: AnswerRoute;
  /** Plain words: "the dialog closed", "the screen moved before the first key". */
  readonly evidence: string;
  readonly bytesWritten: number;
  readonly fingerprintBefore: Fingerprint | null;
  readonly fingerprintAfter: Fingerprint | null;
  /** The plan foresaw that the tool ends with this answer ("No, exit"). */
  readonly endsTool: boolean;
  /** Of the answer `stop`, once the tool may have heard the no: what became of the rest. */
  readonly stop?: ReceiptBlock;
}

export interface ReceiptBlock {
  /** The tool was seen to work no more. */
  readonly stopped: boolean;
  /** Plain words, as above. */
  readonly evidence: string;
}
