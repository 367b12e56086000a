/**
 * Table `quarantine`: what a row held that cannot be read (a page that went bad, a program that wrote to the file). The row itself gets
 * something harmless in its place, on record, so that everything else goes on; `doctor` names it.
 */
import type Database from "better-sqlite3";
import type { AuditLog } from "./audit-log.js";

export interface BadField {
  /** Names of ours, never anything that came from outside. */
  readonly table: "prompts" | "sessions" | "deliveries" | "outbox" | "spool";
  readonly rowId: string | number;
  readonly field: string;
  readonly content: string;
  /** What the audit's row is about, where that is known. */
  readonly promptId?: string;
  readonly sessionId?: string;
}

/** Enough to see what it was; a field of megabytes is not kept twice. */
const CONTENT_MAX = 4096;

export class Quarantine {
  readonly #sqlite: Database.Database;
  readonly #audit: AuditLog;
  readonly #now: () => number;
  readonly #insert: Database.Statement<[string, string, string, string, number]>;

  constructor(sqlite: Database.Database, audit: AuditLog, now: () => number) {
    this.#sqlite = sqlite;
    this.#audit = audit;
    this.#now = now;
    this.#insert = sqlite.prepare(
      "INSERT INTO quarantine (table_name, row_id, problem, content, found_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
    );
  }

  /** Keeps what the field held and mends the row, both or neither. */
  keep({ table, rowId, field, content, ...about }: BadField, mend: (at: number) => void): void {
    this.#sqlite.transaction(() => {
      const at = this.#now();
      this.#insert.run(table, String(rowId), field, content.slice(0, CONTENT_MAX), at);
      mend(at);
      this.#audit.append(at, { step: "row_quarantined", ...about, details: { table, rowId, field } });
    })();
  }
}

/** The object in a JSON field, or null where there is none. */
export function readObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}
