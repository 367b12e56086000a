/** Proves that the hub wrote a row: an HMAC-SHA256 over its table and all its columns, with a key used for rows only (ADR 31). Pure. */
import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { AuditRecord } from "./chain.js";

const KEY_BYTES = 32;
/** 128 bits cannot be guessed, and a shorter MAC keeps rows small. */
export const MAC_BYTES = 16;

/** Derives a separate key for each purpose from the ledger's key. */
export function deriveKey(ledgerKey: Buffer, purpose: "rows" | "tally"): Buffer {
  return Buffer.from(hkdfSync("sha256", ledgerKey, "", `atlasbridge ledger ${purpose} 1`, KEY_BYTES));
}

/** `columns` come in the table's order. JSON makes every list of values distinct. */
export function computeMac(rowKey: Buffer, table: string, columns: readonly unknown[]): Buffer {
  const covered = JSON.stringify([table, ...columns]);
  return createHmac("sha256", rowKey).update(covered).digest().subarray(0, MAC_BYTES);
}

export function matchesMac(
  rowKey: Buffer,
  mac: unknown,
  table: string,
  columns: readonly unknown[],
): boolean {
  return (
    Buffer.isBuffer(mac) &&
    mac.length === MAC_BYTES &&
    timingSafeEqual(mac, computeMac(rowKey, table, columns))
  );
}

/** An audit row together with the MAC that proves the hub wrote it. */
export interface ProvedRecord extends AuditRecord {
  readonly mac: Buffer | null;
}

export function isOwnRecord(rowKey: Buffer, record: ProvedRecord): boolean {
  const { position, at, step, sessionId, promptId, identity, details, previous, hash, mac } = record;
  const columns = [position, at, step, sessionId, promptId, identity, details, previous, hash];
  return matchesMac(rowKey, mac, "audit", columns);
}
