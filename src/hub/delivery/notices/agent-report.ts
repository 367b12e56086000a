/** What people read of an agent's own report: none of its words, because the agent can replace the process that reports. */
import type { Receipt } from "../../../model/answer/receipt.js";
import { createRefusal, REFUSAL_TEXT, type Refusal } from "../../../model/answer/refusal.js";
import type { WithdrawReason } from "../../../sdk/adapter.js";

const KNOWN_REASONS: readonly WithdrawReason[] = [
  "taken_back",
  "cancelled",
  "timed_out",
  "refused_late",
  "same_id",
  "unattended",
  "session_ended",
  "superseded",
];

export function limitReason(reason: WithdrawReason): WithdrawReason {
  return KNOWN_REASONS.includes(reason) ? reason : "taken_back";
}

export function limitRefusal({ code }: Refusal): Refusal {
  return createRefusal(code in REFUSAL_TEXT ? code : "not_read");
}

export function limitReceipt({ outcome, proof, route, bytesWritten, endsTool }: Receipt): Receipt {
  const seen = { fingerprintBefore: null, fingerprintAfter: null };
  return { outcome, proof, route, bytesWritten, endsTool, ...seen, evidence: "the agent's client says so" };
}
