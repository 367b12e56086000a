/** The ledger: opened for reading only, beside a hub that may be writing. */
import type { StoreExamination } from "../../hub/store/examine-store.js";
import { fail, ok, type Finding } from "./check.js";

/** `null`: there is no database yet. */
export function checkDatabase(path: string, found: StoreExamination | null): Finding[] {
  if (!found) return [ok("database", `${path}: there is none yet; the first hub makes it`)];
  const { schema, newestSchema, audit } = found;
  const older = schema < newestSchema ? `, which the next hub brings to ${newestSchema}` : "";
  const database = ok("database", `${path}: sound, schema ${schema}${older}`);
  return audit ? [database, checkAudit(audit)] : [database];
}

function checkAudit({ rows, checked, verdict }: NonNullable<StoreExamination["audit"]>): Finding {
  if (verdict.intact) {
    const part = checked < rows ? `the newest ${checked} of ${rows} steps` : `${rows} steps`;
    return ok("audit", `${part}, the chain is whole`);
  }
  return fail(
    "audit",
    `the record of step ${verdict.position} ${PROBLEMS[verdict.problem]}`,
    "Somebody or something changed the database. Keep a copy of it; compare it with a backup.",
  );
}

const PROBLEMS = {
  missing: "is missing",
  broken_link: "does not follow from the one before",
  changed: "was changed afterwards",
} as const;
