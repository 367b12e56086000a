/** Who has approved so far, and the number that must be written. It belongs to one nonce: a prompt raised again begins again. */
import { isObject } from "../../../model/data/json.js";
import { asId, type PromptId } from "../../../model/ids.js";
import type { PromptRow } from "../../store/tables/prompts.js";
import type { Ledger } from "../../ledger/ledger.js";

/** The scope in `settings`: one row a prompt, pruned with its session. */
export const APPROVAL_SCOPE = "approval";

export interface Approval {
  readonly person: string;
  readonly value: string;
}

export interface ApprovalState {
  readonly approvals: readonly Approval[];
  /** Two digits; null: nobody needed one yet. */
  readonly number: number | null;
  readonly wrong: number;
  /** What each identity tapped before it was asked for the number. */
  readonly tapped: Readonly<Record<string, string>>;
  /** Identities that approved hidden content with that tap. */
  readonly accepting?: readonly string[];
}

const NOTHING: ApprovalState = { approvals: [], number: null, wrong: 0, tapped: {} };

export function readApprovalState(
  ledger: Ledger,
  { sessionId, promptId, nonceHash }: Pick<PromptRow, "sessionId" | "promptId" | "nonceHash">,
): ApprovalState {
  const value = ledger.store.settings.getJson(APPROVAL_SCOPE, `${sessionId}/${promptId}`);
  if (!isObject(value) || value["nonceHash"] !== nonceHash) return NOTHING;
  return value["state"] as ApprovalState;
}

export function writeApprovalState(
  ledger: Ledger,
  { sessionId, promptId, nonceHash }: Pick<PromptRow, "sessionId" | "promptId" | "nonceHash">,
  state: ApprovalState,
): void {
  const value = JSON.stringify({ nonceHash, state });
  ledger.store.settings.set(APPROVAL_SCOPE, `${sessionId}/${promptId}`, value);
}

export function listApprovalPrompts({ store }: Ledger): PromptId[] {
  return store.settings
    .list(APPROVAL_SCOPE)
    .map(({ key }) => asId<PromptId>(key.slice(key.indexOf("/") + 1)));
}
