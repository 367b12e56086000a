/** A look at the database from beside the hub: for `doctor`, also while a hub writes to it. */
import { existsSync } from "node:fs";
import type { ChainVerdict } from "../audit/chain.js";
import { AuditLog } from "./audit-log.js";
import { inspectStore, schemaVersion } from "./inspect-store.js";
import { SCHEMA_VERSION } from "./migrations/index.js";
import { storeError } from "./sqlite-errors.js";

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
  const { openSqlite } = await import("../sqlite/open-sqlite.js");
  try {
    const sqlite = openSqlite(path, { readonly: true, fileMustExist: true });
    try {
      inspectStore(sqlite, path);
      const schema = schemaVersion(sqlite);
      // One picture: the hub goes on writing.
      const isCurrent = schema === SCHEMA_VERSION;
      const audit = isCurrent ? sqlite.transaction(() => examineAudit(sqlite))() : null;
      return { schema, newestSchema: SCHEMA_VERSION, audit };
    } finally {
      sqlite.close();
    }
  } catch (error) {
    throw storeError(error, path);
  }
}

function examineAudit(sqlite: ConstructorParameters<typeof AuditLog>[0]): StoreExamination["audit"] {
  const log = new AuditLog(sqlite, (text) => text);
  const { count } = log.head();
  const verdict = log.verifyNewest(NEWEST_AUDIT_ROWS);
  return { rows: count, checked: Math.min(count, NEWEST_AUDIT_ROWS), verdict };
}
