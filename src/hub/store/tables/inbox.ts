/**
 * The inbox, in the table `spool`: every raw update of a channel, committed before the channel acknowledges it to its service. What
 * people wrote is deleted as soon as possible (it may be a password sent by mistake); the key stays, so that no update is handled twice.
 */
import type { InboundResponse } from "../../../sdk/channel.js";
import { checkSignature, nameParameter, writeSignature } from "../sign-rows.js";
import { Table } from "./table.js";

export interface InboxRow {
  readonly updateId: number;
  readonly channel: string;
  readonly key: string;
  readonly raw: unknown;
  readonly storedAt: number;
  /** The response to the sender. */
  readonly answer: InboundResponse | null;
}

type InboxColumns = Omit<InboxRow, "raw" | "answer"> & { raw: string; answer: string | null };
type Insert = Omit<InboxColumns, "updateId"> & { handledAt: null };

const BATCH_ROWS = 1000;
const IS_SIGNED = checkSignature("spool");
const RAW_AFTER = "iif(@answer IS NULL, '', raw)";
const SIGNATURE_AFTER = writeSignature(
  "spool",
  (column) => ({ raw: RAW_AFTER, handled_at: "@handledAt", answer: "@answer" })[column] ?? column,
);
const COLUMNS = "spool_id AS updateId, channel, key, raw, stored_at AS storedAt, answer";

const SELECT = `SELECT ${COLUMNS} FROM spool WHERE channel = ?1`;

export class InboxTable extends Table<InboxColumns, InboxRow> {
  readonly #insert = this.change<[Insert]>(
    `INSERT INTO spool (channel, key, raw, stored_at, handled_at, answer, mac)
       VALUES (@channel, @key, @raw, @storedAt, @handledAt, @answer, ${writeSignature("spool", nameParameter)})
       ON CONFLICT DO NOTHING`,
  );
  /** Oldest first, without those that the hub did not store. */
  readonly listUnhandled = this.rows<[channel: string]>(
    `${SELECT} AND handled_at IS NULL AND ${IS_SIGNED} ORDER BY spool_id LIMIT ${BATCH_ROWS}`,
  );
  /** Handled updates whose sender may not have got the reply. */
  readonly listWithoutResponse = this.rows<[channel: string]>(
    `${SELECT} AND answer IS NOT NULL AND answered_at IS NULL AND ${IS_SIGNED} ORDER BY spool_id LIMIT ${BATCH_ROWS}`,
  );
  readonly #handled = this.change<[{ updateId: number; handledAt: number; answer: string | null }]>(
    `UPDATE spool SET handled_at = @handledAt, answer = @answer, raw = ${RAW_AFTER},
         mac = iif(${IS_SIGNED}, ${SIGNATURE_AFTER}, NULL)
       WHERE spool_id = @updateId AND handled_at IS NULL`,
  );
  readonly markResponded = this.change<[updateId: number, at: number]>(
    "UPDATE spool SET answered_at = ?2, raw = '' WHERE spool_id = ?1",
  );
  /** Deletes some of the updates handled before `at` and returns their number; no service redelivers after that long. */
  readonly prune = this.change<[at: number]>(
    `DELETE FROM spool WHERE spool_id IN
         (SELECT spool_id FROM spool WHERE handled_at < ?1 ORDER BY handled_at LIMIT ${BATCH_ROWS})`,
  );
  readonly countUnhandled = this.number(
    `SELECT count(*) FROM spool WHERE handled_at IS NULL AND ${IS_SIGNED}`,
  );

  /** False if the channel had already stored this update. */
  insert(channel: string, key: string, raw: unknown, at: number): boolean {
    return (
      this.#insert({
        channel,
        key,
        raw: JSON.stringify(raw),
        storedAt: at,
        handledAt: null,
        answer: null,
      }) === 1
    );
  }

  /** False if it was handled before. */
  markHandled(updateId: number, handledAt: number, answer: InboundResponse | null): boolean {
    return this.#handled({ updateId, handledAt, answer: answer && JSON.stringify(answer) }) === 1;
  }

  protected override decode(stored: InboxColumns): InboxRow {
    const answer = stored.answer === null ? null : (JSON.parse(stored.answer) as InboundResponse);
    return { ...stored, raw: JSON.parse(stored.raw) as unknown, answer };
  }

  protected override locate({ updateId }: InboxColumns) {
    return ["spool", updateId] as const;
  }
}
