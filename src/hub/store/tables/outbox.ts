/** Table `outbox`: what must still reach a channel. A row is deleted only after the service accepted it. */
import type { DeliveryId, SessionId } from "../../../model/ids.js";
import type { Outcome } from "../../../sdk/channel.js";
import { Table } from "./table.js";

/** Lower goes first: a tool stands still for a prompt, people look for what they have just asked for, the rest can wait. */
export const PRIORITY = { prompt: 0, settleByTap: 1, text: 1, edit: 2, aside: 3 } as const;

/** Whether nobody waits for it. */
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
  readonly sessionId: SessionId;
  readonly channel: string;
  readonly place: string;
}

type OutboxColumns = Omit<OutboxRow, "outcome"> & { outcome: string | null };

const COLUMNS = `outbox_id AS outboxId, outbox.delivery_id AS deliveryId, kind, priority, due_at AS dueAt, attempts, revision,
  outcome, session_id AS sessionId, channel, place`;
const SELECT = `SELECT ${COLUMNS} FROM outbox JOIN deliveries USING (delivery_id)`;
// A settle waits until its card is posted.
const READY = `(kind = 'deliver' OR ref IS NOT NULL)`;
const UNTRIED = "kind = 'deliver' AND attempts = 0";

export class Outbox extends Table<OutboxColumns, OutboxRow> {
  readonly #one = this.rows<[outboxId: number]>(`${SELECT} WHERE outbox_id = ?1`);
  readonly #heads = this.records<[now: number, underWay: string], { outboxId: number }>(
    `SELECT * FROM (SELECT ${COLUMNS}, row_number() OVER (PARTITION BY channel, place, session_id, kind
         ORDER BY priority, due_at, outbox_id) AS head
         FROM outbox JOIN deliveries USING (delivery_id) WHERE due_at <= ?1 AND ${READY}
         AND outbox_id NOT IN (SELECT value FROM json_each(?2))) WHERE head = 1
       ORDER BY priority, dueAt, outboxId`,
  );
  readonly #settle = this.change<[deliveryId: string, priority: number, dueAt: number, outcome: string]>(
    `INSERT INTO outbox (delivery_id, kind, priority, due_at, outcome) VALUES (?1, 'settle', ?2, ?3, ?4)
       ON CONFLICT (delivery_id, kind) DO UPDATE SET priority = min(priority, excluded.priority),
         outcome = excluded.outcome, revision = revision + 1,
         due_at = iif(attempts = 0, min(due_at, excluded.due_at), due_at)`,
  );
  readonly #settleOf = this.row<[deliveryId: string]>(
    `${SELECT} WHERE outbox.delivery_id = ?1 AND kind = 'settle'`,
  );
  readonly #postpone = this.change<[outboxId: number, revision: number, dueAt: number]>(
    "UPDATE outbox SET attempts = attempts + 1, due_at = iif(revision = ?2, ?3, due_at) WHERE outbox_id = ?1",
  );
  readonly #complete = this.change<[outboxId: number, revision: number]>(
    "DELETE FROM outbox WHERE outbox_id = ?1 AND revision = ?2",
  );

  readonly addDeliver = this.change<[deliveryId: string, priority: number, dueAt: number]>(
    "INSERT INTO outbox (delivery_id, kind, priority, due_at) VALUES (?1, 'deliver', ?2, ?3)",
  );
  readonly findNextDueAt = this.value<[now: number], number>(
    `SELECT min(due_at) FROM outbox JOIN deliveries USING (delivery_id) WHERE due_at > ?1 AND ${READY}`,
  );
  readonly findLastDueAt = this.value<[], number>("SELECT max(due_at) FROM outbox");
  /** Makes rows due now that are due after `latest`. */
  readonly pullIn = this.change<[latest: number, now: number]>(
    "UPDATE outbox SET due_at = ?2 WHERE due_at > ?1",
  );
  /** Everything is sent as long from now as it would have been. */
  readonly moveDueTimes = this.change<[byMs: number]>("UPDATE outbox SET due_at = due_at + ?1");
  /** Makes failed rows of this channel due now. */
  readonly retryNow = this.change<[channel: string, now: number]>(
    `UPDATE outbox SET due_at = ?2 WHERE attempts > 0 AND
         (SELECT channel FROM deliveries WHERE delivery_id = outbox.delivery_id) = ?1 AND due_at > ?2`,
  );
  /** Lets a waiting post go at `dueAt` already. */
  readonly advance = this.change<[deliveryId: string, dueAt: number]>(
    `UPDATE outbox SET due_at = min(due_at, ?2) WHERE delivery_id = ?1 AND ${UNTRIED}`,
  );
  /**
   * Postpones what is held back at `now` until that instant: the session's cards and ends of turns, and the ends of turns elsewhere that ask
   * nothing, those for at most `elsewhereMs` after the turn.
   */
  readonly postponeHeld = this.change<
    [{ sessionId: string; until: number; now: number; elsewhereMs: number; question: string }]
  >(
    `UPDATE outbox SET due_at = max(due_at, iif(session_id = @sessionId, @until, min(@until, created_at + @elsewhereMs)))
       FROM deliveries WHERE deliveries.delivery_id = outbox.delivery_id AND ${UNTRIED} AND due_at > @now
         AND iif(session_id = @sessionId, role = 'idle' OR text IS NULL, role = 'idle' AND text NOT LIKE @question || '%')`,
  );
  /** Whether it is held back: not due at `now` and never tried. */
  readonly isHeld = this.exists<[deliveryId: string, now: number]>(
    `SELECT 1 FROM outbox WHERE delivery_id = ?1 AND ${UNTRIED} AND due_at > ?2`,
  );
  /** Whether anything of the session or the end of any turn is held back at `now`. */
  readonly hasHeld = this.exists<[sessionId: string, now: number]>(
    `SELECT 1 FROM outbox JOIN deliveries USING (delivery_id)
       WHERE (role = 'idle' OR session_id = ?1) AND ${UNTRIED} AND due_at > ?2`,
  );
  readonly drop = this.change<[deliveryId: string]>("DELETE FROM outbox WHERE delivery_id = ?1");
  /** Called when the card turns out to be posted. */
  readonly dropDeliver = this.change<[deliveryId: string]>(
    "DELETE FROM outbox WHERE delivery_id = ?1 AND kind = 'deliver'",
  );
  /** Deletes planned outcomes of a prompt that are no longer true. */
  readonly dropSettles = this.change<[promptId: string]>(
    "DELETE FROM outbox WHERE kind = 'settle' AND delivery_id IN (SELECT delivery_id FROM deliveries WHERE prompt_id = ?1)",
  );
  readonly count = this.number("SELECT count(*) FROM outbox");

  /** One settle per card: a newer outcome replaces an unsent one and keeps the earlier due time. */
  addSettle(deliveryId: string, priority: number, dueAt: number, outcome: StoredOutcome): void {
    this.#settle(deliveryId, priority, dueAt, JSON.stringify(outcome));
  }

  /** For every session at every place: the next due card and edit, most urgent first. An edit does not block a prompt. */
  heads(now: number, underWay: readonly number[]): OutboxRow[] {
    return this.#heads(now, JSON.stringify(underWay)).flatMap(({ outboxId }) => this.#one(outboxId));
  }

  /** Whether its final outcome is already known, even if it is not posted yet. */
  hasFinalOutcome(deliveryId: string): boolean {
    return this.#settleOf(deliveryId)?.outcome?.final ?? false;
  }

  /** Postpones the row after a failed call, unless a newer outcome came, which is tried at once. */
  postpone({ outboxId, revision }: OutboxRow, dueAt: number): void {
    this.#postpone(outboxId, revision, dueAt);
  }

  /** False if a newer outcome replaced the sent one; the row then stays. */
  complete({ outboxId, revision }: OutboxRow): boolean {
    return this.#complete(outboxId, revision) === 1;
  }

  protected override decode(stored: OutboxColumns): OutboxRow {
    const outcome = stored.outcome === null ? null : (JSON.parse(stored.outcome) as StoredOutcome);
    return { ...stored, outcome };
  }

  protected override locate({ outboxId }: OutboxColumns) {
    return ["outbox", outboxId] as const;
  }
}
