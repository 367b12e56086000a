/** Verifies an audit on disk completely, even while a hub keeps writing. */
import { existsSync } from "node:fs";
import type Database from "better-sqlite3";
import { AtlasBridgeError } from "../../model/errors.js";
import type { ChainHead } from "../audit/chain.js";
import { verifyAudit, type AuditVerdict } from "../audit/verify.js";
import { locateAuditKey, readAuditKey } from "./seals/audit-key.js";
import { AuditReader } from "./audit-reader.js";
import { readSchemaVersion } from "./inspect-store.js";
import { locateKeptSeals, readKeptSeals } from "./seals/kept-seals.js";
import { SCHEMA_VERSION } from "./migrations/index.js";
import { readStore } from "./read-store.js";

export type { AuditVerdict } from "../audit/verify.js";

export interface VerifyOptions {
  readonly path: string;
  /** Default: `audit.key` beside the database. */
  readonly auditKey?: string;
  /** A length and hash that somebody noted elsewhere. */
  readonly noted?: ChainHead | undefined;
}

export interface VerifiedAudit {
  readonly rows: number;
  readonly verdict: AuditVerdict;
  /** The row that the verdict names, if it exists. */
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
