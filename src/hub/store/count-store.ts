import { existsSync, statSync } from "node:fs";
import type Database from "better-sqlite3";
import { locateKeptSeals, readKeptSeals } from "./audit-files.js";
import { readSchemaVersion, readStore } from "./read-store.js";

/** Constant names: nothing from outside ever enters the SQL. */
const TABLES = [
  "sessions",
  "prompts",
  "replies",
  "injections",
  "deliveries",
  "outbox",
  "spool",
  "audit",
] as const;

export interface StoreCounts {
  readonly schema: number;
  readonly bytes: number;
  readonly rows: Readonly<Record<(typeof TABLES)[number], number>>;
  readonly openPrompts: number;
  /** ms since 1970; null if there is no prompt. */
  readonly oldestPromptAt: number | null;
  readonly keptSeals: number;
}

export async function countStore(path: string): Promise<StoreCounts | null> {
  if (!existsSync(path)) return null;
  const bytes = [path, `${path}-wal`].reduce((sum, file) => sum + getSize(file), 0);
  const keptSeals = readKeptSeals(locateKeptSeals(path)).length;
  return readStore(path, (sqlite) => ({
    schema: readSchemaVersion(sqlite),
    bytes,
    rows: Object.fromEntries(TABLES.map((table) => [table, countRows(sqlite, table)])) as StoreCounts["rows"],
    openPrompts: countRows(sqlite, "prompts WHERE closed_at IS NULL"),
    oldestPromptAt: findOldest(sqlite),
    keptSeals,
  }));
}

function getSize(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function countRows(sqlite: Database.Database, from: string): number {
  return sqlite.prepare<[], { n: number }>(`SELECT count(*) AS n FROM ${from}`).get()?.n ?? 0;
}

function findOldest(sqlite: Database.Database): number | null {
  return (
    sqlite.prepare<[], { at: number | null }>("SELECT min(created_at) AS at FROM prompts").get()?.at ?? null
  );
}
