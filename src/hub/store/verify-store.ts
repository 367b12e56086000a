/** Verifies an audit on disk completely, and examines the database for `doctor`, even while a hub keeps writing. */
import { existsSync } from "node:fs";
import type Database from "better-sqlite3";
import { AtlasBridgeError } from "../../model/errors.js";
import type { ChainHead } from "../audit/chain.js";
import { verifyAudit, type AuditVerdict } from "../audit/verify.js";
import { locateAuditKey, locateKeptSeals, readAuditKey, readKeptSeals } from "./audit-files.js";
import { AuditReader } from "./audit-log.js";
import { SCHEMA_VERSION } from "./migrations.js";
import { readSchemaVersion, readStore } from "./read-store.js";

export type { AuditVerdict } from "../audit/verify.js";

export interface VerifyOptions {
  readonly path: string;
  readonly auditKey?: string;
  readonly noted?: ChainHead | undefined;
}

export interface VerifiedAudit {
  readonly rows: number;
  readonly verdict: AuditVerdict;
  readonly row: { readonly step: string; readonly at: number } | null;
}

/** Null if there is no database. Errors: ATB_STORE_DAMAGED, ATB_STORE_FAILED. */
export async function verifyStoreAudit(options: VerifyOptions): Promise<VerifiedAudit | null> {
  const { path, auditKey = locateAuditKey(path), noted } = options;
  if (!existsSync(path)) return null;
  const key = readAuditKey(auditKey);
  // Read first: rows that the hub appends meanwhile must not look like missing ones.
  const kept = readKeptSeals(locateKeptSeals(path));
  return readStore(path, (sqlite) => {
    requireCurrentSchema(sqlite, path);
    const audit = new AuditReader(sqlite);
    const verdict = verifyAudit(audit.readAfter(0), { key, newest: audit.seal(), kept, noted });
    return {
      rows: audit.head().count,
      verdict,
      row: verdict.intact ? null : describeRow(audit, verdict.position),
    };
  });
}

function requireCurrentSchema(sqlite: Database.Database, path: string): void {
  const schema = readSchemaVersion(sqlite);
  if (schema === SCHEMA_VERSION) return;
  throw new AtlasBridgeError("ATB_STORE_FAILED", `${path} has schema ${schema}, not ${SCHEMA_VERSION}.`, {
    hint: "A hub migrates its own database when it starts (`atlasbridge hub start`); a copy is checked with the version that made it.",
  });
}

function describeRow(audit: AuditReader, position: number): VerifiedAudit["row"] {
  const found = audit.readAfter(position - 1).next();
  return found.done === true || found.value.position !== position
    ? null
    : { step: found.value.step, at: found.value.at };
}

/** Rows that `doctor` names. */
const NAMED_MAX = 20;

export interface BadRow {
  readonly table: string;
  readonly row: string;
}

export interface StoreExamination {
  readonly schema: number;
  readonly newestSchema: number;
  readonly badRows: readonly BadRow[];
  /** The result of `audit verify`. Null for a database with an older schema, which only the hub can read. */
  readonly audit: VerifiedAudit | null;
}

export async function examineStore(
  path: string,
  auditKey = locateAuditKey(path),
): Promise<StoreExamination | null> {
  if (!existsSync(path)) return null;
  const { schema, badRows } = await readStore(path, (sqlite) => {
    const found = readSchemaVersion(sqlite);
    return { schema: found, badRows: found === SCHEMA_VERSION ? listBadRows(sqlite) : [] };
  });
  const audit = schema === SCHEMA_VERSION ? await verifyStoreAudit({ path, auditKey }) : null;
  return { schema, badRows, newestSchema: SCHEMA_VERSION, audit };
}

function listBadRows(sqlite: Database.Database): BadRow[] {
  return sqlite
    .prepare<[], BadRow>(
      `SELECT table_name AS "table", row_id AS row FROM quarantine ORDER BY found_at LIMIT ${NAMED_MAX}`,
    )
    .all();
}
