/** The ledger: opened for reading only, beside a hub that may be writing. */
import type { BadRow, StoreExamination } from "../hub/store/examine-store.js";
import { printable } from "../sdk/text.js";
import { fail, passedCheck, type CheckFinding } from "./check.js";

/** `found`, null: there is no database. `left`: files that lie there only where there was one. */
export function checkDatabase(
  path: string,
  found: StoreExamination | null,
  left: readonly string[] = [],
): CheckFinding[] {
  if (!found && left.length > 0) return [goneFinding(path, left)];
  if (!found) return [passedCheck("database", `${path}: there is none yet; the first hub makes it`)];
  const { schema, newestSchema, audit, badRows } = found;
  const older = schema < newestSchema ? `, which the next hub brings to ${newestSchema}` : "";
  const database =
    badRows.length > 0
      ? badRowsFinding(path, badRows)
      : passedCheck("database", `${path}: sound, schema ${schema}${older}`);
  return audit ? [database, checkAudit(audit)] : [database];
}

function goneFinding(path: string, left: readonly string[]): CheckFinding {
  return fail(
    "database",
    `${path}: the ledger is gone although ${left.join(" and ")} ${left.length === 1 ? "is" : "are"} there`,
    "A hub that runs takes no answers without it: `atlasbridge hub stop`. Put a copy of the ledger back, or let the next hub begin a new one.",
  );
}

function badRowsFinding(path: string, rows: readonly BadRow[]): CheckFinding {
  const lines = rows.map(({ table, row, problem, quarantined }) => {
    const name = printable(`${table} ${row}: ${PROBLEMS[problem] ?? problem}`, ROW_NAME_MAX);
    return quarantined ? `${name}; it was put aside` : name;
  });
  return fail(
    "database",
    [
      `${path}: ${rows.length === 1 ? "a row is" : "rows are"} damaged, or changed by another program`,
      ...lines,
    ].join("\n"),
    "Everything else goes on. Find out what wrote to it or check the disk, and keep a copy: `atlasbridge db archive`.",
  );
}

const PROBLEMS: Readonly<Record<string, string>> = {
  not_ours: "the hub did not write it so",
  put_back: "it was put back as it once was",
  gone: "it was taken out",
};

/** A table, an id and what is wrong. */
const ROW_NAME_MAX = 120;

/** In the very verdict of `audit verify`. */
function checkAudit({ rows, verdict }: NonNullable<StoreExamination["audit"]>): CheckFinding {
  if (verdict.intact) return passedCheck("audit", `${rows} steps, all of them as they were recorded`);
  const problem = verdict.problem.replaceAll("_", " ");
  return fail(
    "audit",
    `the record is not whole from step ${verdict.position} on (${problem})`,
    "Run `atlasbridge audit verify`: it tells more. Keep a copy of the database; compare it with a backup.",
  );
}
