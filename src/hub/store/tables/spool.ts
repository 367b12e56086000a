/**
 * Table `spool`: every raw update of a channel, committed before the channel acknowledges it to its service. What people wrote
 * is deleted as soon as possible (it may be a password sent by mistake); the key stays, so that no update is handled twice.
 */
import type Database from "better-sqlite3";
import type { InboundAnswer } from "../../../sdk/channel.js";
import type { RowSeals } from "../seals/row-seals.js";

export interface SpoolRow {
  readonly spoolId: number;
  readonly channel: string;
  readonly key: string;
  readonly raw: unknown;
  readonly storedAt: number;
  readonly answer: InboundAnswer | null;
}

type Stored = Omit<SpoolRow, "raw" | "answer"> & { raw: string; answer: string | null };

/** Rows per read; the next ones are found when these are done. */
const BATCH_ROWS = 1000;
const COLUMNS = "spool_id AS spoolId, channel, key, raw, stored_at AS storedAt, answer";

export class Spool {
  readonly #insert: Database.Statement<[string, string, string, number]>;
  readonly #unhandled: Database.Statement<[string], Stored>;
  readonly #unanswered: Database.Statement<[string], Stored>;
  readonly #handled: Database.Statement<[{ at: number; answer: string | null; spoolId: number }]>;
  readonly #answered: Database.Statement<[number, number]>;
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
    this.#unanswered = sqlite.prepare(
      `SELECT ${COLUMNS} FROM spool WHERE answer IS NOT NULL AND answered_at IS NULL AND channel = ? AND ${ours}
       ORDER BY spool_id LIMIT ${BATCH_ROWS}`,
    );
    this.#handled = sqlite.prepare(
      `UPDATE spool SET handled_at = @at, answer = @answer, raw = iif(@answer IS NULL, '', raw)
       WHERE spool_id = @spoolId AND handled_at IS NULL`,
    );
    this.#answered = sqlite.prepare("UPDATE spool SET answered_at = ?, raw = '' WHERE spool_id = ?");
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
  listUnhandled(channel: string): SpoolRow[] {
    return this.#unhandled.all(channel).map(load);
  }

  /** Handled updates whose sender may not have got the reply. */
  listUnanswered(channel: string): SpoolRow[] {
    return this.#unanswered.all(channel).map(load);
  }

  /** False if it was handled before. */
  markHandled(spoolId: number, at: number, answer: InboundAnswer | null): boolean {
    const stored = answer === null ? null : JSON.stringify(answer);
    return this.#handled.run({ at, answer: stored, spoolId }).changes === 1;
  }

  markAnswered(spoolId: number, at: number): void {
    this.#answered.run(at, spoolId);
  }

  /** Deletes some of the updates handled before `at` and returns their number; no service redelivers after that long. */
  prune(at: number): number {
    return this.#prune.run(at).changes;
  }

  countUnhandled(): number {
    return this.#count.get()?.n ?? 0;
  }
}

function load(stored: Stored): SpoolRow {
  const { raw, answer } = stored;
  return {
    ...stored,
    raw: JSON.parse(raw),
    answer: answer === null ? null : (JSON.parse(answer) as InboundAnswer),
  };
}
