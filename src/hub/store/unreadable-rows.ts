/**
 * Sets rows aside that cannot be read (a damaged page), so that the hub goes on. The table `quarantine` keeps what stood there, and `doctor`
 * names it. Something harmless takes the row's place.
 */
import type Database from "better-sqlite3";
import { asId, type Fingerprint } from "../../model/ids.js";
import { NO_SHORT_ID } from "../../model/no-open-prompts.js";
import type { PromptEvent } from "../../model/prompt.js";
import type { AuditLog } from "./audit-log.js";
import { writeSignature } from "./sign-rows.js";
import { PRIORITY } from "./tables/outbox.js";
import type { ParsedTable, Unreadable } from "./tables/table.js";

export const UNREADABLE_TEXT =
  "⚠️ This prompt's record is damaged and cannot be read. It can no longer be answered. Check where it was asked.";
export const UNKNOWN_QUESTION = "What was asked is not known.";

/** No answer to it is legal. Its ids and its key come from its row. */
export const unreadableEvent: Omit<PromptEvent, "promptId" | "sessionId" | "idempotencyKey"> = {
  promptType: "unknown",
  confidence: "low",
  score: 0,
  safetyClass: "question",
  excerpt: UNREADABLE_TEXT,
  choices: [],
  defaultChoice: null,
  constraints: {},
  content: { text: "", cut: null },
  contentHash: "",
  fingerprint: asId<Fingerprint>(""),
  epoch: 0,
  sources: [],
  timestamp: new Date(0).toISOString(),
};

/** Whether the event replaces one that could not be read. */
export function isUnreadable({ fingerprint }: Pick<PromptEvent, "fingerprint">): boolean {
  return fingerprint === unreadableEvent.fingerprint;
}

const text = (words: string): string => `'${words.replaceAll("'", "''")}'`;
const GIVEN_UP = text(JSON.stringify({ state: "failed", text: UNREADABLE_TEXT, final: true }));

/** By table: its key in SQL, and what replaces the row `@id` at the instant `@at`. Constant names: nothing from outside enters the SQL. */
const TABLES: Readonly<Record<ParsedTable, { readonly key: string; readonly replace: readonly string[] }>> = {
  sessions: {
    key: "session_id",
    replace: [
      `UPDATE sessions SET command = '[]', capabilities = '{"chatTurns":false,"screenView":false}' WHERE session_id = @id`,
    ],
  },
  prompts: {
    key: "prompt_id",
    replace: [
      `UPDATE prompts SET event = json_patch(${text(JSON.stringify(unreadableEvent))}, json_object('promptId', prompt_id,
           'sessionId', session_id, 'idempotencyKey', idempotency_key)), verdict = '{}',
         short_id = ${text(NO_SHORT_ID)}, answerable = 0, nonce = NULL, remind_at = NULL, outcome = ${text(UNREADABLE_TEXT)},
         closed_at = coalesce(closed_at, @at),
         state = CASE state WHEN 'injecting' THEN 'uncertain' ELSE 'failed' END
       WHERE prompt_id = @id`,
      "UPDATE replies SET state = 'void' WHERE prompt_id = @id AND state IN ('waiting', 'held')",
      `INSERT INTO outbox (delivery_id, kind, priority, due_at, outcome)
       SELECT delivery_id, 'settle', ${PRIORITY.edit}, @at, ${GIVEN_UP} FROM deliveries
       WHERE prompt_id = @id AND text IS NULL AND state = 'posted' ON CONFLICT DO NOTHING`,
    ],
  },
  deliveries: {
    key: "delivery_id",
    replace: [
      "DELETE FROM outbox WHERE delivery_id = @id",
      "UPDATE deliveries SET state = 'abandoned', ref = NULL WHERE delivery_id = @id",
    ],
  },
  outbox: { key: "CAST(outbox_id AS TEXT)", replace: ["DELETE FROM outbox WHERE outbox_id = @id"] },
  spool: {
    key: "CAST(spool_id AS TEXT)",
    replace: [
      `UPDATE spool SET handled_at = coalesce(handled_at, @at), answered_at = @at, raw = '', answer = NULL WHERE spool_id = @id`,
    ],
  },
  settings: {
    key: "scope || '/' || key",
    // A value that says nothing, and not none: a rule whose uses are not known has none left.
    replace: [
      `UPDATE settings SET value = 'null', mac = ${writeSignature("settings", (column) => (column === "value" ? "'null'" : column))} WHERE scope || '/' || key = @id`,
    ],
  },
};

interface UnreadableRow {
  readonly table: ParsedTable;
  readonly rowId: string;
}

const CONTENT_MAX = 4096;

export class UnreadableRows implements Unreadable {
  readonly #sqlite: Database.Database;
  readonly #redact: (text: string) => string;
  readonly #statements = new Map<string, Database.Statement>();
  /** By table and id. A row that cannot be replaced either, because no text expresses its id, is handled only once. */
  readonly #known = new Set<string>();
  #found: UnreadableRow[] = [];

  constructor(sqlite: Database.Database, redact: (text: string) => string) {
    this.#sqlite = sqlite;
    this.#redact = redact;
  }

  get isEmpty(): boolean {
    return this.#found.length === 0;
  }

  note(table: ParsedTable, rowId: string): void {
    const name = `${table} ${rowId}`;
    if (!this.#known.has(name)) this.#found.push({ table, rowId });
    this.#known.add(name);
  }

  /** Replaces the rows that were found since the last call, on record, and returns them. Runs inside a transaction. */
  setAside(audit: AuditLog, at: number): UnreadableRow[] {
    const rows = this.#found;
    this.#found = [];
    for (const row of rows) {
      this.#setAside(row, at);
      audit.append(at, { step: "row_quarantined", details: { ...row, problem: "unreadable" } });
    }
    return rows;
  }

  #setAside({ table, rowId }: UnreadableRow, at: number): void {
    const { key, replace } = TABLES[table];
    const row = this.#prepare(`SELECT * FROM ${table} WHERE ${key} = ?`).get(rowId);
    // What people wrote to the bot must not be stored.
    const content = table === "spool" ? "" : this.#redact(JSON.stringify(row ?? null));
    this.#prepare("INSERT INTO quarantine VALUES (?, ?, 'unreadable', ?, ?) ON CONFLICT DO NOTHING").run(
      table,
      rowId,
      content.slice(0, CONTENT_MAX),
      at,
    );
    for (const sql of replace) this.#prepare(sql).run({ id: rowId, at });
  }

  #prepare(sql: string): Database.Statement {
    const known = this.#statements.get(sql) ?? this.#sqlite.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }
}
