/**
 * The inbox, in the table `spool`: every raw update of a channel, committed before the channel acknowledges it to its service. What
 * people wrote is deleted as soon as possible (it may be a password sent by mistake); the key stays, so that no update is handled twice.
 */
import type { InboundResponse } from "../../../sdk/channel.js";
import { SIGNATURES } from "../sign-rows.js";
import { Table } from "./table.js";

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

const BATCH_ROWS = 1000;
const COLUMNS = "spool_id AS updateId, channel, key, raw, stored_at AS storedAt, answer";

export class InboxTable extends Table {
  readonly #insert = this.sqlite.prepare<[{ channel: string; key: string; raw: string; at: number }]>(
    `INSERT INTO spool (channel, key, raw, stored_at, mac)
       VALUES (@channel, @key, @raw, @at, sign('spool', @channel, @key, @raw)) ON CONFLICT DO NOTHING`,
  );
  readonly #unhandled = this.sqlite.prepare<[string], InboxColumns>(
    `SELECT ${COLUMNS} FROM spool WHERE handled_at IS NULL AND channel = ? AND mac = ${SIGNATURES.spool}
       ORDER BY spool_id LIMIT ${BATCH_ROWS}`,
  );
  readonly #withoutResponse = this.sqlite.prepare<[string], InboxColumns>(
    `SELECT ${COLUMNS} FROM spool WHERE answer IS NOT NULL AND answered_at IS NULL AND channel = ?
       ORDER BY spool_id LIMIT ${BATCH_ROWS}`,
  );
  readonly #handled = this.sqlite.prepare<[{ at: number; answer: string | null; updateId: number }]>(
    `UPDATE spool SET handled_at = @at, answer = @answer, raw = iif(@answer IS NULL, '', raw)
       WHERE spool_id = @updateId AND handled_at IS NULL`,
  );
  readonly #responded = this.sqlite.prepare<[number, number]>(
    "UPDATE spool SET answered_at = ?, raw = '' WHERE spool_id = ?",
  );
  readonly #prune = this.sqlite.prepare<[number]>(
    `DELETE FROM spool WHERE spool_id IN
         (SELECT spool_id FROM spool WHERE handled_at < ? ORDER BY handled_at LIMIT ${BATCH_ROWS})`,
  );
  readonly #count = this.sqlite.prepare<[], { n: number }>(
    `SELECT count(*) AS n FROM spool WHERE handled_at IS NULL AND mac = ${SIGNATURES.spool}`,
  );

  /** False if the channel had already stored this update. */
  insert(channel: string, key: string, raw: unknown, at: number): boolean {
    return this.#insert.run({ channel, key, raw: JSON.stringify(raw), at }).changes === 1;
  }

  /** Oldest first, without those that the hub did not store. */
  listUnhandled(channel: string): InboxRow[] {
    return this.#load(this.#unhandled.all(channel));
  }

  listWithoutResponse(channel: string): InboxRow[] {
    return this.#load(this.#withoutResponse.all(channel));
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

  #load(stored: readonly InboxColumns[]): InboxRow[] {
    return this.parse(
      "spool",
      stored,
      ({ updateId }) => updateId,
      (row) => ({
        ...row,
        raw: JSON.parse(row.raw) as unknown,
        answer: row.answer === null ? null : (JSON.parse(row.answer) as InboundResponse),
      }),
    );
  }
}
