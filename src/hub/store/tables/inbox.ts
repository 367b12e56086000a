/**
 * The inbox, in the table `spool`: every raw update of a channel, committed before the channel acknowledges it to its service. What
 * people wrote is deleted as soon as possible (it may be a password sent by mistake); the key stays, so that no update is handled twice.
 */
import type Database from "better-sqlite3";
import type { InboundResponse } from "../../../sdk/channel.js";
import type { RowSeals } from "../seals/row-seals.js";

export interface InboxRow {
  readonly updateId: number;
  readonly channel: string;
  readonly key: string;
  readonly raw: unknown;
  readonly storedAt: number;
  /** What the sender is told; the column is named `answer`. */
  readonly answer: InboundResponse | null;
}

type InboxColumns = Omit<InboxRow, "raw" | "answer"> & { raw: string; answer: string | null };

/** Rows per read; the next ones are found when these are done. */
const BATCH_ROWS = 1000;
const COLUMNS = "spool_id AS updateId, channel, key, raw, stored_at AS storedAt, answer";

export class InboxTable {
  readonly #insert: Database.Statement<[string, string, string, number]>;
  readonly #unhandled: Database.Statement<[string], InboxColumns>;
  readonly #withoutResponse: Database.Statement<[string], InboxColumns>;
  readonly #handled: Database.Statement<[{ at: number; answer: string | null; updateId: number }]>;
  readonly #responded: Database.Statement<[number, number]>;
  readonly #prune: Database.Statement<[number]>;
  readonly #count: Database.Statement<[], { n: number }>;

  constructor(sqlite: Database.Database, seals: RowSeals) {
    const ours = seals.buildOwnCondition("spool");
    this.#insert = sqlite.prepare(
      "INSERT INTO spool (channel, key, raw, stored_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
    );
    this.#unhandled = sqlite.prepare(
      `SELECT ${COLUMNS} FROM spool WHERE handled_at IS NULL AND channel = ? AND ${ours} ORDER BY spool_id LIMIT ${BATCH_ROWS}`,
    );
    this.#withoutResponse = sqlite.prepare(
      `SELECT ${COLUMNS} FROM spool WHERE answer IS NOT NULL AND answered_at IS NULL AND channel = ? AND ${ours}
       ORDER BY spool_id LIMIT ${BATCH_ROWS}`,
    );
    this.#handled = sqlite.prepare(
      `UPDATE spool SET handled_at = @at, answer = @answer, raw = iif(@answer IS NULL, '', raw)
       WHERE spool_id = @updateId AND handled_at IS NULL`,
    );
    this.#responded = sqlite.prepare("UPDATE spool SET answered_at = ?, raw = '' WHERE spool_id = ?");
    this.#prune = sqlite.prepare(
      `DELETE FROM spool WHERE spool_id IN
         (SELECT spool_id FROM spool WHERE handled_at < ? ORDER BY handled_at LIMIT ${BATCH_ROWS})`,
    );
    this.#count = sqlite.prepare("SELECT count(*) AS n FROM spool WHERE handled_at IS NULL");
  }

  /** False if the channel had already stored this update. */
  insert(channel: string, key: string, raw: unknown, at: number): boolean {
    return this.#insert.run(channel, key, JSON.stringify(raw), at).changes === 1;
  }

  /** Oldest first. */
  listUnhandled(channel: string): InboxRow[] {
    return this.#unhandled.all(channel).map(load);
  }

  /** Handled updates whose sender may not have got the reply. */
  listWithoutResponse(channel: string): InboxRow[] {
    return this.#withoutResponse.all(channel).map(load);
  }

  /** False if it was handled before. */
  markHandled(updateId: number, at: number, answer: InboundResponse | null): boolean {
    const stored = answer === null ? null : JSON.stringify(answer);
    return this.#handled.run({ at, answer: stored, updateId }).changes === 1;
  }

  markResponded(updateId: number, at: number): void {
    this.#responded.run(at, updateId);
  }

  /** Deletes some of the updates handled before `at` and returns their number; no service redelivers after that long. */
  prune(at: number): number {
    return this.#prune.run(at).changes;
  }

  countUnhandled(): number {
    return this.#count.get()?.n ?? 0;
  }
}

function load(stored: InboxColumns): InboxRow {
  const { raw, answer } = stored;
  return {
    ...stored,
    raw: JSON.parse(raw),
    answer: answer === null ? null : (JSON.parse(answer) as InboundResponse),
  };
}
