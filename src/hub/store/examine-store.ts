/** Examines the database without the hub, for `doctor`, even while a hub writes to it. */
import { existsSync } from "node:fs";
import type Database from "better-sqlite3";
import { locateAuditKey, readAuditKey } from "./seals/audit-key.js";
import { readSchemaVersion } from "./inspect-store.js";
import { SCHEMA_VERSION } from "./migrations/index.js";
import { readStore } from "./read-store.js";
import { RowSeals } from "./seals/row-seals.js";
import { buildRowId, SEALED_NAMES, SEALED_TABLES } from "./seals/sealed-tables.js";
import { verifyStoreAudit, type VerifiedAudit } from "./verify-store.js";

/** Rows that `doctor` names; the rest is only counted. */
const NAMED_MAX = 20;

/** A row that is not as the hub wrote it. */
export interface BadRow {
  readonly table: string;
  readonly row: string;
  readonly problem: string;
  /** A hub has found it and replaced it with something harmless. */
  readonly quarantined: boolean;
}

export interface StoreExamination {
  readonly schema: number;
  /** The schema that this program writes. */
  readonly newestSchema: number;
  readonly badRows: readonly BadRow[];
  /** The result of `audit verify`. Null for a database with an older schema, which only the hub can read. */
  readonly audit: VerifiedAudit | null;
}

/** Null if there is no database. Errors: ATB_STORE_DAMAGED, ATB_STORE_FAILED. */
export async function examineStore(
  path: string,
  auditKey = locateAuditKey(path),
): Promise<StoreExamination | null> {
  if (!existsSync(path)) return null;
  const key = readAuditKey(auditKey);
  const examined = await readStore(path, (sqlite) => {
    const schema = readSchemaVersion(sqlite);
    return { schema, badRows: schema === SCHEMA_VERSION ? findBadRows(sqlite, key) : [] };
  });
  const isCurrent = examined.schema === SCHEMA_VERSION;
  const audit = isCurrent ? await verifyStoreAudit({ path, auditKey }) : null;
  return { ...examined, newestSchema: SCHEMA_VERSION, audit };
}

function findBadRows(sqlite: Database.Database, key: Buffer | null): BadRow[] {
  const kept = sqlite
    .prepare<[], Omit<BadRow, "quarantined">>(
      `SELECT table_name AS "table", row_id AS row, problem FROM quarantine ORDER BY found_at LIMIT ${NAMED_MAX}`,
    )
    .all()
    .map((bad) => ({ ...bad, quarantined: true }));
  const unquarantined = key === null ? [] : findUnprovedRows(sqlite, new RowSeals(sqlite, key));
  return [...kept, ...unquarantined].slice(0, NAMED_MAX);
}

/** Rows that could still take effect and that the hub did not write this way. */
function findUnprovedRows(sqlite: Database.Database, seals: RowSeals): BadRow[] {
  return SEALED_NAMES.flatMap((table) =>
    sqlite
      .prepare<[], { row: string }>(
        `SELECT CAST(${buildRowId(table, "")} AS TEXT) AS row FROM ${table}
         WHERE ${SEALED_TABLES[table].examined} AND NOT ${seals.buildOwnCondition(table)} LIMIT ${NAMED_MAX}`,
      )
      .all()
      .map(({ row }) => ({ table, row, problem: "not_ours", quarantined: false })),
  );
}
