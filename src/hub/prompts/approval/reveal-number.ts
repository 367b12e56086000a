/** Tells the local user the number that a yes to a prompt needs. A supervised tool gets nothing: it would pass it on. */
import { createRefusal } from "../../../model/answer/refusal.js";
import { LOCAL_IDENTITY } from "../../../model/ids.js";
import type { Ledger } from "../../ledger/ledger.js";
import { refuseAnswer } from "../claim.js";
import { mayNeedNumber, ensureNumber } from "./number.js";

export interface RevealedNumber {
  readonly number: number | null;
  readonly problem: string | null;
}

export function revealNumber(ledger: Ledger, shortId: string, isSupervised: boolean): RevealedNumber {
  return ledger.commit((tx) => {
    const prompt = ledger.store.prompts.findByShortId(shortId);
    if (isSupervised) {
      const refused = refuseAnswer(tx, prompt, LOCAL_IDENTITY, createRefusal("supervised"));
      return { number: null, problem: refused.rejection.text };
    }
    if (prompt?.state !== "pending") return { number: null, problem: createRefusal("unknown_prompt").text };
    if (!mayNeedNumber(prompt)) return { number: null, problem: "A yes to it needs no number." };
    return { number: ensureNumber(ledger, prompt), problem: null };
  });
}
