/** Table `outbox`: what must still reach a channel. A row is deleted only after the service accepted it. */
import type { DeliveryId } from "../../../model/ids.js";
import type { Outcome } from "../../../sdk/channel.js";
import { Table } from "./table.js";

/** Lower goes first: someone who tapped is looking at the card now, a prompt waits for people, the rest can wait. */
export const PRIORITY = { settleByTap: 0, prompt: 1, text: 1, edit: 2, aside: 2 } as const;

/** Whether it leaves one message of the place free for a prompt. */
export function canWait({ priority }: Pick<OutboxRow, "priority">): boolean {
  return priority >= PRIORITY.edit;
}

/** The outcome on a settled card; its buttons are determined when it is sent. */
export type StoredOutcome = Pick<Outcome, "state" | "text" | "final">;

export interface OutboxRow {
  readonly outboxId: number;
  readonly deliveryId: DeliveryId;
  readonly kind: "deliver" | "settle";
  readonly priority: number;
  readonly dueAt: number;
  readonly attempts: number;
  /** Increases when a newer outcome replaced the row's during sending. */
  readonly revision: number;
  readonly outcome: StoredOutcome | null;
  readonly channel: string;
  readonly place: string;
}

type OutboxColumns = Omit<OutboxRow, "outcome"> & { outcome: string | null };

const COLUMNS = `outbox_id AS outboxId, outbox.delivery_id AS deliveryId, kind, priority, due_at AS dueAt, attempts, revision,
  outcome, channel, place`;

// A settle waits until its card is posted.
const READY = `(kind = 'deliver' OR ref IS NOT NULL)`;

export class Outbox extends Table {
  readonly #one = this.sqlite.prepare<[number], OutboxColumns>(
    `SELECT ${COLUMNS} FROM outbox JOIN deliveries USING (delivery_id)
       WHERE outbox_id = ?`,
  );
  readonly #deliver = this.sqlite.prepare<[string, number, number]>(
    "INSERT INTO outbox (delivery_id, kind, priority, due_at) VALUES (?, 'deliver', ?, ?)",
  );
  readonly #settle = this.sqlite.prepare<[string, number, number, string]>(
    `INSERT INTO outbox (delivery_id, kind, priority, due_at, outcome) VALUES (?, 'settle', ?, ?, ?)
       ON CONFLICT (delivery_id, kind) DO UPDATE SET priority = min(priority, excluded.priority),
         outcome = excluded.outcome, revision = revision + 1,
         due_at = iif(attempts = 0, min(due_at, excluded.due_at), due_at)`,
  );
  readonly #heads = this.sqlite.prepare<[number, string], { outboxId: number }>(
    `SELECT * FROM (SELECT ${COLUMNS}, row_number() OVER (PARTITION BY channel, place, kind
         ORDER BY priority, due_at, outbox_id) AS head
         FROM outbox JOIN deliveries USING (delivery_id) WHERE due_at <= ? AND ${READY}
         AND outbox_id NOT IN (SELECT value FROM json_each(?))) WHERE head = 1
       ORDER BY priority, dueAt, outboxId`,
  );
  readonly #nextDue = this.sqlite.prepare<[number], { at: number | null }>(
    `SELECT min(due_at) AS at FROM outbox JOIN deliveries USING (delivery_id) WHERE due_at > ? AND ${READY}`,
  );
  readonly #lastDue = this.sqlite.prepare<[], { at: number | null }>("SELECT max(due_at) AS at FROM outbox");
  readonly #recall = this.sqlite.prepare<[number, number]>("UPDATE outbox SET due_at = ? WHERE due_at > ?");
  readonly #retry = this.sqlite.prepare<[number, string, number]>(
    `UPDATE outbox SET due_at = ? WHERE attempts > 0 AND
         (SELECT channel FROM deliveries WHERE delivery_id = outbox.delivery_id) = ? AND due_at > ?`,
  );
  readonly #hold = this.sqlite.prepare<[number, string, number]>(
    `UPDATE outbox SET due_at = ? WHERE kind = 'deliver' AND attempts = 0 AND delivery_id IN
         (SELECT delivery_id FROM deliveries WHERE session_id = ? AND (text IS NULL OR role = 'idle')) AND due_at > ?`,
  );
  readonly #hurry = this.sqlite.prepare<[number, string]>(
    "UPDATE outbox SET due_at = min(due_at, ?) WHERE delivery_id = ? AND kind = 'deliver' AND attempts = 0",
  );
  readonly #held = this.sqlite.prepare<[string, number], { found: 1 }>(
    "SELECT 1 AS found FROM outbox WHERE delivery_id = ? AND kind = 'deliver' AND attempts = 0 AND due_at > ?",
  );
  readonly #heldBySession = this.sqlite.prepare<[string, number], { found: 1 }>(
    `SELECT 1 AS found FROM outbox JOIN deliveries USING (delivery_id)
       WHERE session_id = ? AND kind = 'deliver' AND attempts = 0 AND due_at > ? LIMIT 1`,
  );
  readonly #later = this.sqlite.prepare<[{ outboxId: number; revision: number; dueAt: number }]>(
    `UPDATE outbox SET attempts = attempts + 1, due_at = iif(revision = @revision, @dueAt, due_at)
       WHERE outbox_id = @outboxId`,
  );
  readonly #settleOf = this.sqlite.prepare<[string], OutboxColumns>(
    `SELECT ${COLUMNS} FROM outbox JOIN deliveries USING (delivery_id) WHERE outbox.delivery_id = ? AND kind = 'settle'`,
  );
  readonly #done = this.sqlite.prepare<[number, number]>(
    "DELETE FROM outbox WHERE outbox_id = ? AND revision = ?",
  );
  readonly #drop = this.sqlite.prepare<[string]>("DELETE FROM outbox WHERE delivery_id = ?");
  readonly #dropDeliver = this.sqlite.prepare<[string]>(
    "DELETE FROM outbox WHERE delivery_id = ? AND kind = 'deliver'",
  );
  readonly #dropSettles = this.sqlite.prepare<[string]>(
    "DELETE FROM outbox WHERE kind = 'settle' AND delivery_id IN (SELECT delivery_id FROM deliveries WHERE prompt_id = ?)",
  );
  readonly #count = this.sqlite.prepare<[], { n: number }>("SELECT count(*) AS n FROM outbox");

  addDeliver(deliveryId: string, priority: number, dueAt: number): void {
    this.#deliver.run(deliveryId, priority, dueAt);
  }

  /** One settle per card: a newer outcome replaces an unsent one and keeps the earlier due time. */
  addSettle(deliveryId: string, priority: number, dueAt: number, outcome: StoredOutcome): void {
    this.#settle.run(deliveryId, priority, dueAt, JSON.stringify(outcome));
  }

  /**
   * For every place with due work and no call in flight: the next card and the next edit, most urgent first. An edit that must
   * wait does not block a prompt.
   */
  heads(now: number, underWay: readonly number[]): OutboxRow[] {
    const heads = this.#heads.all(now, JSON.stringify(underWay));
    return heads.flatMap(({ outboxId }) => this.#load(this.#one.all(outboxId)));
  }

  findNextDueAt(now: number): number | null {
    return this.#nextDue.get(now)?.at ?? null;
  }

  findLastDueAt(): number | null {
    return this.#lastDue.get()?.at ?? null;
  }

  pullIn(latest: number, now: number): void {
    this.#recall.run(now, latest);
  }

  retryNow(channel: string, now: number): void {
    this.#retry.run(now, channel, now);
  }

  /** Lets a waiting post go at `dueAt` already. */
  advance(deliveryId: string, dueAt: number): void {
    this.#hurry.run(dueAt, deliveryId);
  }

  postponeHeld(sessionId: string, until: number, now: number): void {
    this.#hold.run(until, sessionId, now);
  }

  /** Whether it is held back: not due at `now` and never tried. */
  isHeld(deliveryId: string, now: number): boolean {
    return this.#held.get(deliveryId, now) !== undefined;
  }

  /** Whether anything of the session is held back at `now`. */
  hasHeld(sessionId: string, now: number): boolean {
    return this.#heldBySession.get(sessionId, now) !== undefined;
  }

  /** Whether its final outcome is already known, even if it is not posted yet. */
  hasFinalOutcome(deliveryId: string): boolean {
    return this.#load(this.#settleOf.all(deliveryId))[0]?.outcome?.final ?? false;
  }

  /** Postpones the row after a failed call, unless a newer outcome came, which is tried at once. */
  postpone({ outboxId, revision }: OutboxRow, dueAt: number): void {
    this.#later.run({ outboxId, revision, dueAt });
  }

  /** False if a newer outcome replaced the sent one; the row then stays. */
  complete(row: OutboxRow): boolean {
    return this.#done.run(row.outboxId, row.revision).changes === 1;
  }

  drop(deliveryId: string): void {
    this.#drop.run(deliveryId);
  }

  /** Called when the card turns out to be posted. */
  dropDeliver(deliveryId: string): void {
    this.#dropDeliver.run(deliveryId);
  }

  dropSettles(promptId: string): void {
    this.#dropSettles.run(promptId);
  }

  count(): number {
    return this.#count.get()?.n ?? 0;
  }

  #load(stored: readonly OutboxColumns[]): OutboxRow[] {
    return this.parse(
      "outbox",
      stored,
      ({ outboxId }) => outboxId,
      (row) => ({
        ...row,
        outcome: row.outcome === null ? null : (JSON.parse(row.outcome) as StoredOutcome),
      }),
    );
  }
}
