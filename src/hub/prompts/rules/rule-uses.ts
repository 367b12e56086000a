/** How often each rule has answered in a session, counted in the transaction that claims: neither a crash nor a race adds a use. */
import { isObject, toArray } from "../../../model/data/json.js";
import type { RuleUses } from "../../policy/verdict.js";
import type { Ledger, Transaction } from "../../ledger/ledger.js";

/** Scope in `settings`: one row per rule and session, pruned with its session. */
export const USES_SCOPE = "policy";

/** As many instants as a rate can ask for. */
const INSTANTS_MAX = 1_000;

interface Uses {
  readonly total: number;
  readonly instants: readonly number[];
}

export function readRuleUses(ledger: Ledger, sessionId: string): RuleUses {
  return {
    total: (rule) => readUses(ledger, sessionId, rule).total,
    since: (rule, instant) =>
      readUses(ledger, sessionId, rule).instants.filter((used) => used > instant).length,
  };
}

export function countRuleUse(ledger: Ledger, tx: Transaction, sessionId: string, rule: string): void {
  const { total, instants } = readUses(ledger, sessionId, rule);
  const uses: Uses = { total: total + 1, instants: [...instants, tx.now].slice(-INSTANTS_MAX) };
  ledger.store.settings.set(
    USES_SCOPE,
    `${sessionId}/${rule}`,
    JSON.stringify({ total: uses.total, at: uses.instants }),
  );
}

function readUses(ledger: Ledger, sessionId: string, rule: string): Uses {
  const { settings } = ledger.store;
  const key = `${sessionId}/${rule}`;
  if (settings.get(USES_SCOPE, key) === null) return { total: 0, instants: [] };
  const value = settings.getJson(USES_SCOPE, key);
  // A row that cannot be read counts as used up.
  if (!isObject(value) || typeof value["total"] !== "number")
    return { total: Number.MAX_SAFE_INTEGER, instants: [] };
  return {
    total: value["total"],
    instants: toArray(value["at"]).filter((instant) => typeof instant === "number"),
  };
}
