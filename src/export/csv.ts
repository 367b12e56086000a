/** A row of the audit as a line of CSV (RFC 4180). Pure. */
import type { AuditRecord } from "../hub/audit/chain.js";

const COLUMNS = [
  ["position", (row) => row.position],
  ["at", (row) => row.at],
  ["step", (row) => row.step],
  ["session_id", (row) => row.sessionId],
  ["prompt_id", (row) => row.promptId],
  ["identity", (row) => row.identity],
  ["details", (row) => row.details],
  ["previous", (row) => row.previous],
  ["hash", (row) => row.hash],
] as const satisfies readonly (readonly [string, (row: AuditRecord) => string | number | null])[];

export const CSV_HEAD = COLUMNS.map(([name]) => name).join(",");

/** Null is an empty field. */
export function formatCsvRow(row: AuditRecord): string {
  return COLUMNS.map(([, read]) => formatField(read(row))).join(",");
}

function formatField(value: string | number | null): string {
  if (value === null) return "";
  return typeof value === "number" ? String(value) : `"${value.replaceAll('"', '""')}"`;
}
