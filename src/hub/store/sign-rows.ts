/**
 * Signs the rows that decide what an answer means and what is allowed: updates of the chat services, prompts, posted messages, buttons, and
 * settings (confirmed addresses, grants, modes). A program that writes to the database without the audit's key can neither make such a row
 * nor change one.
 */
import { createHmac } from "node:crypto";
import type Database from "better-sqlite3";

/** Part of each signature, so that no other signature made with this key can pass for one of a row. */
const PURPOSE = "atlasbridge row 1";

/** By table, what its column `mac` must be. */
export const SIGNATURES = {
  prompts: "sign('prompts', prompt_id, session_id, short_id, event, verdict, answerable)",
  deliveries: "sign('deliveries', delivery_id, prompt_id, session_id, channel, place, ref, twin_of, role)",
  tokens: "sign('tokens', token, delivery_id, position, value, accepts_hidden)",
  spool: "sign('spool', channel, key, raw)",
  settings: "sign('settings', scope, key, value)",
} as const;

/** Adds `sign(table, fields …)` to SQL. `directOnly`: a trigger that another program left in the file cannot call it. */
export function addSignFunction(sqlite: Database.Database, key: Buffer): void {
  sqlite.function("sign", { directOnly: true, varargs: true }, (...fields: unknown[]) =>
    createHmac("sha256", key)
      .update(JSON.stringify([PURPOSE, ...fields]))
      .digest(),
  );
}
