/** "Deny all": every open prompt of a session gets its choice that just says no, each with its own claim and its own proof. */
import { findRejectingValue } from "../../../model/answer/rejecting.js";
import type { Identity, PromptId, ShortId } from "../../../model/ids.js";
import type { Refusal } from "../../../model/answer/refusal.js";
import type { Ledger } from "../../ledger/ledger.js";
import type { MessagePlace } from "../accept.js";
import { claim } from "../claim.js";

export interface DeniedAll {
  readonly denied: readonly PromptId[];
  /** Those that stay open, and why. */
  readonly left: readonly { readonly shortId: ShortId; readonly why: string }[];
  readonly problem: Refusal | null;
}

export function denyAll(
  ledger: Ledger,
  sessionId: string,
  by: { readonly identity: Identity; readonly writtenAt?: MessagePlace },
): DeniedAll {
  const denied: PromptId[] = [];
  const left: { shortId: ShortId; why: string }[] = [];
  const pending = ledger.store.prompts
    .listOpenInSession(sessionId)
    .filter(({ state }) => state === "pending");
  for (const { promptId, shortId, event } of pending) {
    const value = findRejectingValue(event);
    if (value === null) {
      left.push({ shortId, why: "it has no choice that just says no" });
      continue;
    }
    const result = claim(ledger, () => ledger.store.prompts.find(promptId), { value, ...by });
    if (result.claimed) denied.push(promptId);
    else if (result.rejection.code === "paused") return { denied, left, problem: result.rejection };
    else left.push({ shortId, why: result.rejection.text });
  }
  return { denied, left, problem: null };
}
