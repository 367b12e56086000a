/** Checks the ledger, opened read-only beside a hub that may be writing. */
import type { BadRow, StoreExamination } from "../hub/store/verify-store.js";
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
  const lines = rows.map(({ table, row }) =>
    makePrintable(`${table} ${row}: it was set aside`, ROW_NAME_MAX),
  );
  return failCheck(
    "database",
    [`${path}: ${rows.length === 1 ? "a row" : "rows"} could not be read`, ...lines].join("\n"),
    "Everything else keeps working. Check the disk, and keep a copy: `atlasbridge db archive`.",
  );
}

/** A table and an id. */
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
