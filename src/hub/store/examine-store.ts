/** A look at the database from beside the hub: for `doctor`, also while a hub writes to it. */
import { existsSync } from "node:fs";
import type Database from "better-sqlite3";
import type { ChainVerdict } from "../audit/chain.js";
import { AuditReader } from "./audit-reader.js";
import { schemaVersion } from "./inspect-store.js";
import { SCHEMA_VERSION } from "./migrations/index.js";
import { readStore } from "./read-store.js";

/** Checked in a fifth of a second; the whole chain of years would take a minute. */
const NEWEST_AUDIT_ROWS = 10_000;

export interface StoreExamination {
  readonly schema: number;
  /** The schema that this program writes. */
  readonly newestSchema: number;
  /** Null in a database of an older schema, which only the hub knows how to read. */
  readonly audit: {
    readonly rows: number;
    /** Of them, how many of the newest were checked. */
    readonly checked: number;
    readonly verdict: ChainVerdict;
  } | null;
}

/** Null where there is no database. Errors: ATB_STORE_DAMAGED, ATB_STORE_FAILED. */
export async function examineStore(path: string): Promise<StoreExamination | null> {
  if (!existsSync(path)) return null;
  return readStore(path, (sqlite) => {
    const schema = schemaVersion(sqlite);
    const audit = schema === SCHEMA_VERSION ? examineAudit(sqlite) : null;
    return { schema, newestSchema: SCHEMA_VERSION, audit };
  });
}

function examineAudit(sqlite: Database.Database): StoreExamination["audit"] {
  const audit = new AuditReader(sqlite);
  const { count } = audit.head();
  const verdict = audit.verifyNewest(NEWEST_AUDIT_ROWS);
  return { rows: count, checked: Math.min(count, NEWEST_AUDIT_ROWS), verdict };
}
