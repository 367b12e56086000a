/** A ledger as years leave it, made by SQL in seconds: settled questions with their answers and cards. */
import Database from "better-sqlite3";
import { promptEvent } from "../../support/prompts.js";
import { openStore } from "../../../src/hub/store/open-store.js";

const HOUR_MS = 3_600_000;

export async function makeLargeLedger(path: string, prompts: number, hours = 24): Promise<void> {
  (await openStore({ path, redact: (text) => text })).close();
  const sqlite = new Database(path);
  sqlite.pragma("synchronous = OFF");
  sqlite.pragma("journal_mode = MEMORY");
  const now = Date.now();
  const numbers = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${prompts})`;
  const id = (kind: string): string => `printf('${kind}%07d-0000-4000-8000-000000000000', i)`;
  const at = `${now - hours * HOUR_MS} + cast(i * ${(hours * HOUR_MS) / prompts} AS INTEGER)`;
  const event = JSON.stringify(promptEvent()).replaceAll("'", "''");
  sqlite.transaction(() => {
    sqlite.exec(`
      INSERT INTO sessions (session_id, tool, cwd, command, version, pid, capabilities, tool_state, started_at, closed_at, ending)
      VALUES ('old', 'claude', '/', '[]', '0', 1, '{}', 'ended', 1, ${now}, 'closed');
      ${numbers} INSERT INTO prompts (prompt_id, session_id, short_id, idempotency_key, state, event, content_hash, epoch,
        verdict, answerable, answered_by, outcome, created_at, closed_at)
      SELECT ${id("a")}, 'old', printf('%x', i % 961), ${id("k")}, 'answered', '${event}', '', 1, '{}', 1, 'Ara', 'done', ${at}, ${at}
      FROM n;
      ${numbers} INSERT INTO replies SELECT ${id("b")}, ${id("a")}, 'old', '1', NULL, ${id("c")}, 'telegram:1001', 'Ara', 'none',
        'done', ${at} FROM n;
      UPDATE prompts SET reply_id = 'b' || substr(prompt_id, 2);
      ${numbers} INSERT INTO deliveries (delivery_id, prompt_id, session_id, channel, place, state, ref, created_at)
      SELECT ${id("d")}, ${id("a")}, 'old', 'telegram', '1001', 'settled', printf('{"chatId":1001,"messageId":-%d}', i), ${at} FROM n;
    `);
  })();
  sqlite.pragma("journal_mode = WAL");
  sqlite.close();
}
