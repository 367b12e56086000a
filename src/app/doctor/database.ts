/** The ledger: opened for reading only, beside a hub that may be writing. */
import type { BadRow, StoreExamination } from "../../hub/store/examine-store.js";
import { printable } from "../../sdk/text.js";
import { fail, ok, type Finding } from "./check.js";

/** `null`: there is no database yet. */
export function checkDatabase(path: string, found: StoreExamination | null): Finding[] {
  if (!found) return [ok("database", `${path}: there is none yet; the first hub makes it`)];
  const { schema, newestSchema, audit, badRows } = found;
  const older = schema < newestSchema ? `, which the next hub brings to ${newestSchema}` : "";
  const database =
    badRows.length > 0
      ? badRowsFinding(path, badRows)
      : ok("database", `${path}: sound, schema ${schema}${older}`);
  return audit ? [database, checkAudit(audit)] : [database];
}

function badRowsFinding(path: string, rows: readonly BadRow[]): Finding {
  const lines = rows.map(({ table, row, field, quarantined }) => {
    const name = printable(`${table} ${row}: ${field} cannot be read`, ROW_NAME_MAX);
    return quarantined ? `${name}; it was put aside` : name;
  });
  return fail(
    "database",
    [`${path}: ${rows.length === 1 ? "a row is" : "rows are"} damaged`, ...lines].join("\n"),
    "Everything else goes on. Check the disk, and keep a copy: `atlasbridge db archive`.",
  );
}

/** A table, an id and a column. */
const ROW_NAME_MAX = 120;

/** In the very verdict of `audit verify`. */
function checkAudit({ rows, verdict }: NonNullable<StoreExamination["audit"]>): Finding {
  if (verdict.intact) return ok("audit", `${rows} steps, all of them as they were recorded`);
  const problem = verdict.problem.replaceAll("_", " ");
  return fail(
    "audit",
    `the record is not whole from step ${verdict.position} on (${problem})`,
    "Run `atlasbridge audit verify`: it tells more. Keep a copy of the database; compare it with a backup.",
  );
}
