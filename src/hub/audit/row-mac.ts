/** The proof that the hub wrote a row: HMAC-SHA256 over its table and all of its columns, under a key for rows alone (ADR 31). Pure. */
import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { AuditRecord } from "./chain.js";

const KEY_BYTES = 32;
/** Nobody guesses 128 bits, and there is one a row. */
export const MAC_BYTES = 16;

/** What one purpose's key is derived from the ledger's key with. */
export function deriveKey(ledgerKey: Buffer, purpose: "rows" | "tally"): Buffer {
  return Buffer.from(hkdfSync("sha256", ledgerKey, "", `atlasbridge ledger ${purpose} 1`, KEY_BYTES));
}

/** `columns` in the table's order. JSON tells one list of values from every other. */
export function macOf(rowKey: Buffer, table: string, columns: readonly unknown[]): Buffer {
  const covered = JSON.stringify([table, ...columns]);
  return createHmac("sha256", rowKey).update(covered).digest().subarray(0, MAC_BYTES);
}

export function isMacOf(rowKey: Buffer, mac: unknown, table: string, columns: readonly unknown[]): boolean {
  return (
    Buffer.isBuffer(mac) && mac.length === MAC_BYTES && timingSafeEqual(mac, macOf(rowKey, table, columns))
  );
}

/** A row of the audit with what proves that the hub wrote it. */
export interface ProvedRecord extends AuditRecord {
  readonly mac: Buffer | null;
}

export function isOwnRecord(rowKey: Buffer, record: ProvedRecord): boolean {
  const { position, at, step, sessionId, promptId, identity, details, previous, hash, mac } = record;
  const columns = [position, at, step, sessionId, promptId, identity, details, previous, hash];
  return isMacOf(rowKey, mac, "audit", columns);
}
