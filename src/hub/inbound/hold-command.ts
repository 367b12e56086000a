/** `hold k7`: a person will decide, and no rule answers that prompt. Known only where there is a policy. */
import type { Identity } from "../../model/ids.js";
import type { InboundResponse } from "../../sdk/channel.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";
import { hasPolicy } from "../ledger/policy/policy-mode.js";
import { refuseAnswer } from "../prompts/claim.js";
import { holdPrompt } from "../prompts/rules/countdown.js";

const HOLD = /^\/?hold(?:@\w{1,64})? {1,8}([a-z0-9]{2,6})$/i;

/** More lines of the help, for chats of a hub that follows rules. */
export function listRuleCommands(ledger: Ledger): readonly string[] {
  return hasPolicy(ledger)
    ? [
        "mode api off (or assist, full): whether rules answer in a session",
        "hold k7: no rule answers prompt k7, you decide",
      ]
    : [];
}

export function runHoldCommand(
  ledger: Ledger,
  tx: Transaction,
  { text, identity }: { readonly text: string; readonly identity: Identity },
): InboundResponse | null {
  const shortId = HOLD.exec(text.trim())?.[1]?.toLowerCase();
  if (shortId === undefined || !hasPolicy(ledger)) return null;
  const prompt = ledger.store.prompts.findByShortId(shortId);
  const problem = holdPrompt(ledger, tx, prompt, identity);
  if (problem === null) return { text: `✋ No rule answers ${shortId} now.`, alert: false };
  return { text: refuseAnswer(tx, prompt, identity, problem).rejection.text, alert: true };
}
