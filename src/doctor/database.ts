/** Checks the ledger, opened read-only beside a hub that may be writing. */
import type { BadRow, StoreExamination } from "../hub/store/examine-store.js";
import { makePrintable } from "../sdk/text.js";
import { failCheck, passCheck, type CheckFinding } from "./check.js";

/** `found` null: there is no database. `left`: files that exist only where there was one. */
export function checkDatabase(
  path: string,
  found: StoreExamination | null,
  left: readonly string[] = [],
): CheckFinding[] {
  if (!found && left.length > 0) return [reportMissing(path, left)];
  if (!found) return [passCheck("database", `${path} does not exist yet; the first hub creates it`)];
  const { schema, newestSchema, audit, badRows } = found;
  const older = schema < newestSchema ? `, which the next hub migrates to ${newestSchema}` : "";
  const database =
    badRows.length > 0
      ? reportBadRows(path, badRows)
      : passCheck("database", `${path}: sound, schema ${schema}${older}`);
  return audit ? [database, checkAudit(audit)] : [database];
}

function reportMissing(path: string, left: readonly string[]): CheckFinding {
  return failCheck(
    "database",
    `${path}: the ledger is missing although ${left.join(" and ")} ${left.length === 1 ? "exists" : "exist"}`,
    "A running hub accepts no answers without it: run `atlasbridge hub stop`. Restore a copy of the ledger, or let the next hub create a new one.",
  );
}

function reportBadRows(path: string, rows: readonly BadRow[]): CheckFinding {
  const lines = rows.map(({ table, row, problem, quarantined }) => {
    const name = makePrintable(`${table} ${row}: ${PROBLEMS[problem] ?? problem}`, ROW_NAME_MAX);
    return quarantined ? `${name}; it was quarantined` : name;
  });
  return failCheck(
    "database",
    [
      `${path}: ${rows.length === 1 ? "a row is" : "rows are"} damaged, or changed by another program`,
      ...lines,
    ].join("\n"),
    "Everything else keeps working. Find out what wrote to it or check the disk, and keep a copy: `atlasbridge db archive`.",
  );
}

const PROBLEMS: Readonly<Record<string, string>> = {
  not_ours: "the hub did not write it",
  put_back: "an older version was restored",
  gone: "it was removed",
};

/** A table, an id and the problem. */
const ROW_NAME_MAX = 120;

/** With the same verdict as `audit verify`. */
function checkAudit({ rows, verdict }: NonNullable<StoreExamination["audit"]>): CheckFinding {
  if (verdict.intact) return passCheck("audit", `${rows} steps, all intact`);
  const problem = verdict.problem.replaceAll("_", " ");
  return failCheck(
    "audit",
    `the audit log is not intact from step ${verdict.position} on (${problem})`,
    "Run `atlasbridge audit verify`: it shows details. Keep a copy of the database; compare it with a backup.",
  );
}
