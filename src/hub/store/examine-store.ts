/** A look at the database from beside the hub: for `doctor`, also while a hub writes to it. */
import { existsSync } from "node:fs";
import type Database from "better-sqlite3";
import { schemaVersion } from "./inspect-store.js";
import { SCHEMA_VERSION } from "./migrations/index.js";
import { readStore } from "./read-store.js";
import { verifyStoreAudit, type VerifiedAudit } from "./verify-store.js";

/** Rows that `doctor` names; more are a number. */
const NAMED_MAX = 20;

/** What cannot be read in one row: table, row and field, in names of ours. */
export interface BadRow {
  readonly table: string;
  readonly row: string;
  readonly field: string;
  /** It was found by a hub, which put something harmless in its place. */
  readonly quarantined: boolean;
}

export interface StoreExamination {
  readonly schema: number;
  /** The schema that this program writes. */
  readonly newestSchema: number;
  readonly badRows: readonly BadRow[];
  /** The very verdict of `audit verify`. Null in a database of an older schema, which only the hub knows how to read. */
  readonly audit: VerifiedAudit | null;
}

/** Null where there is no database. Errors: ATB_STORE_DAMAGED, ATB_STORE_FAILED. */
export async function examineStore(path: string, auditKey?: string): Promise<StoreExamination | null> {
  if (!existsSync(path)) return null;
  const looked = await readStore(path, (sqlite) => {
    const schema = schemaVersion(sqlite);
    return { schema, badRows: schema === SCHEMA_VERSION ? badRowsIn(sqlite) : [] };
  });
  const isCurrent = looked.schema === SCHEMA_VERSION;
  const options = { path, ...(auditKey === undefined ? {} : { auditKey }) };
  const audit = isCurrent ? await verifyStoreAudit(options) : null;
  return { ...looked, newestSchema: SCHEMA_VERSION, audit };
}

/** Fields that hold JSON, by table, and which rows the hub may still read. */
const JSON_FIELDS = [
  ["prompts", "prompt_id", "event", "state IN ('detected', 'pending', 'answering', 'injecting')"],
  ["sessions", "session_id", "capabilities", "closed_at IS NULL"],
  ["sessions", "session_id", "command", "closed_at IS NULL"],
  ["outbox", "outbox_id", "outcome", "outcome IS NOT NULL"],
  ["spool", "spool_id", "raw", "handled_at IS NULL"],
] as const;

function badRowsIn(sqlite: Database.Database): BadRow[] {
  const kept = sqlite
    .prepare<[], Omit<BadRow, "quarantined">>(
      `SELECT table_name AS "table", row_id AS row, problem AS field FROM quarantine ORDER BY found_at LIMIT ${NAMED_MAX}`,
    )
    .all()
    .map((bad) => ({ ...bad, quarantined: true }));
  const unseen = JSON_FIELDS.flatMap(([table, id, field, where]) =>
    sqlite
      .prepare<[], { row: string }>(
        `SELECT CAST(${id} AS TEXT) AS row FROM ${table} WHERE ${where} AND NOT json_valid(${field}) LIMIT ${NAMED_MAX}`,
      )
      .all()
      .map(({ row }) => ({ table, row, field, quarantined: false })),
  );
  return [...kept, ...unseen].slice(0, NAMED_MAX);
}
