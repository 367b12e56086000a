/**
 * Signs the rows that decide what people see, what their answer means and what is allowed: sessions, prompts, tasks, messages, buttons,
 * updates of the chat services, and settings (confirmed addresses, grants, modes). A program that writes to the database without the audit's
 * key can neither make such a row nor change one. It can delete rows, and put back one that it has copied before.
 */
import { createHmac } from "node:crypto";
import type Database from "better-sqlite3";

/** Part of each signature, so that no other signature made with this key can pass for one of a row. */
const PURPOSE = "atlasbridge row 1";

/** By table, the columns that its column `mac` signs. */
const SIGNED = {
  sessions: "session_id tool label cwd command version pid pid_start_time inside capabilities",
  prompts: "prompt_id session_id short_id event verdict answerable deadline_at remind_at reminders",
  tasks: "task_id session_id text identity person delivery_id",
  deliveries: "delivery_id prompt_id session_id channel place text ref twin_of role",
  tokens: "token delivery_id position value accepts_hidden",
  spool: "channel key raw handled_at answer",
  settings: "scope key value",
} as const;

export type SignedTable = keyof typeof SIGNED;

/** SQL for what the column `mac` must be. `name` gives the SQL of a column where a statement sets it; by default its value in the row. */
export function writeSignature(table: SignedTable, name = (column: string): string => column): string {
  return `sign('${table}', ${SIGNED[table].split(" ").map(name).join(", ")})`;
}

/** `@deliveryId` for `delivery_id`. */
export function nameParameter(column: string): string {
  return `@${column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())}`;
}

/** SQL for whether the hub has stored a row as it stands. */
export function checkSignature(table: SignedTable): string {
  return `${table}.mac IS ${writeSignature(table, (column) => `${table}.${column}`)}`;
}

/** Adds `sign(table, fields …)` to SQL. `directOnly`: a trigger that another program left in the file cannot call it. */
export function addSignFunction(sqlite: Database.Database, key: Buffer): void {
  sqlite.function("sign", { directOnly: true, varargs: true }, (...fields: unknown[]) =>
    createHmac("sha256", key)
      .update(JSON.stringify([PURPOSE, ...fields]))
      .digest(),
  );
}
