/** Table `prompts`. The state changes only by `move`, one guarded UPDATE. */
import type Database from "better-sqlite3";
import type { IdempotencyKey, Nonce, PromptId, ReplyId, SessionId, ShortId } from "../../../model/ids.js";
import type { PromptState } from "../../../model/lifecycle.js";
import type { PromptEvent } from "../../../model/prompt.js";
import { SIGNATURES } from "../sign-rows.js";
import { Table } from "./table.js";

/** The fields that change during a prompt's life. */
export interface PromptProgress {
  readonly state: PromptState;
  /** Present exactly while the prompt can be claimed. */
  readonly nonce: Nonce | null;
  /** SHA-256 of the newest nonce. It stays after use, because the worker verifies with it. */
  readonly nonceHash: string | null;
  readonly replyId: ReplyId | null;
  /** Name or identity of who answered first, as shown to people. */
  readonly answeredBy: string | null;
  readonly outcome: string | null;
  /** As `deadlineAt`. */
  readonly remindAt: number | null;
  readonly reminders: number;
  readonly closedAt: number | null;
}

export interface PromptRow extends PromptProgress {
  readonly promptId: PromptId;
  readonly sessionId: SessionId;
  readonly shortId: ShortId;
  readonly idempotencyKey: IdempotencyKey;
  /** The prompt as its worker raised it. */
  readonly event: PromptEvent;
  /** A `StoredVerdict` as JSON. */
  readonly verdict: string;
  /** False: people are notified, but the answer is given at the terminal. */
  readonly answerable: boolean;
  readonly createdAt: number;
  /** An instant of the wall clock, with which it moves when that is set. */
  readonly deadlineAt: number | null;
}

type PromptColumns = Omit<PromptRow, "event" | "answerable"> & { event: string; answerable: number };

const COLUMNS = `prompt_id AS promptId, session_id AS sessionId, short_id AS shortId, idempotency_key AS idempotencyKey,
  state, event, verdict, answerable, nonce, nonce_hash AS nonceHash, reply_id AS replyId, answered_by AS answeredBy, outcome,
  created_at AS createdAt, deadline_at AS deadlineAt, remind_at AS remindAt, reminders, closed_at AS closedAt`;

const SELECT = `SELECT ${COLUMNS} FROM prompts`;
const IS_OPEN = "state IN ('detected', 'pending', 'answering', 'injecting')";

interface ListPosition {
  readonly at: number;
  readonly row: number;
}

/** Each due row is one transaction of a millisecond. */
const DUE_ROWS = 20;

/** Older prompts have long left the screen. */
const SETTLED_ROWS = 50;

const BEFORE_ALL: ListPosition = { at: Number.MIN_SAFE_INTEGER, row: 0 };

// Without INDEXED BY, SQLite scans the whole table in the order of the union.
const selectDue = (index: string): string =>
  `SELECT prompt_id, created_at, rowid AS row FROM prompts INDEXED BY ${index} WHERE state = 'pending' AND`;

type Insert = PromptColumns & { contentHash: string; epoch: number };
type Move = PromptProgress & { promptId: string; fromState: string; fromNonce: string | null };

export class Prompts extends Table {
  readonly #page = { open: this.#prepareListing(IS_OPEN), all: this.#prepareListing("TRUE") };

  readonly #insert = this.sqlite.prepare<[Insert]>(
    `INSERT INTO prompts (prompt_id, session_id, short_id, idempotency_key, state, event, content_hash,
         epoch, verdict, answerable, created_at, deadline_at, mac)
       VALUES (@promptId, @sessionId, @shortId, @idempotencyKey, @state, @event, @contentHash,
         @epoch, @verdict, @answerable, @createdAt, @deadlineAt,
         sign('prompts', @promptId, @sessionId, @shortId, @event, @verdict, @answerable))`,
  );
  readonly #move = this.sqlite.prepare<[Move]>(
    `UPDATE prompts SET state = @state, nonce = @nonce, nonce_hash = @nonceHash, reply_id = @replyId,
         answered_by = @answeredBy, outcome = @outcome, remind_at = @remindAt, reminders = @reminders,
         closed_at = @closedAt
       WHERE prompt_id = @promptId AND state = @fromState AND nonce IS @fromNonce`,
  );
  readonly #moveDeadlines = this.sqlite.prepare<[{ byMs: number }]>(
    `UPDATE prompts SET deadline_at = deadline_at + @byMs, remind_at = remind_at + @byMs
       WHERE (deadline_at IS NOT NULL OR remind_at IS NOT NULL) AND ${IS_OPEN}`,
  );
  readonly #byId = this.sqlite.prepare<[string], PromptColumns>(`${SELECT} WHERE prompt_id = ?`);
  readonly #isSigned = this.sqlite.prepare<[string], { found: 1 }>(
    `SELECT 1 AS found FROM prompts WHERE prompt_id = ? AND mac = ${SIGNATURES.prompts}`,
  );
  readonly #byKey = this.sqlite.prepare<[string], PromptColumns>(`${SELECT} WHERE idempotency_key = ?`);
  readonly #openByShortId = this.sqlite.prepare<[string], PromptColumns>(
    `${SELECT} WHERE short_id = ? AND ${IS_OPEN}`,
  );
  readonly #newestByShortId = this.sqlite.prepare<[string], PromptColumns>(
    `${SELECT} WHERE short_id = ? ORDER BY created_at DESC, rowid DESC LIMIT 1`,
  );
  readonly #shortIdTaken = this.sqlite.prepare<[string, string, number], { taken: number }>(
    `SELECT EXISTS (SELECT 1 FROM prompts WHERE short_id = ? AND ${IS_OPEN})
         OR EXISTS (SELECT 1 FROM prompts WHERE short_id = ? AND created_at >= ?) AS taken`,
  );
  readonly #open = this.sqlite.prepare<[], PromptColumns>(
    `${SELECT} WHERE ${IS_OPEN} ORDER BY created_at, rowid`,
  );
  readonly #openCount = this.sqlite.prepare<[], { n: number }>(
    `SELECT count(*) AS n FROM prompts WHERE ${IS_OPEN}`,
  );
  readonly #openCountBySession = this.sqlite.prepare<[string], { n: number }>(
    `SELECT count(*) AS n FROM prompts WHERE session_id = ? AND ${IS_OPEN}`,
  );
  readonly #raisedCount = this.sqlite.prepare<[number, number, string], { n: number }>(
    "SELECT count(*) AS n FROM prompts WHERE created_at > ? AND created_at <= ? AND session_id = ?",
  );
  readonly #place = this.sqlite.prepare<[string], ListPosition>(
    "SELECT created_at AS at, rowid AS row FROM prompts WHERE prompt_id = ?",
  );
  readonly #openBySession = this.sqlite.prepare<[string], PromptColumns>(
    `${SELECT} WHERE session_id = ? AND ${IS_OPEN} ORDER BY created_at, rowid`,
  );
  readonly #settledBySession = this.sqlite.prepare<[string], PromptColumns>(
    `SELECT * FROM (${SELECT} WHERE session_id = ? AND NOT ${IS_OPEN}
         ORDER BY created_at DESC, rowid DESC LIMIT ${SETTLED_ROWS}) ORDER BY createdAt`,
  );
  readonly #due = this.sqlite.prepare<[number, number], Pick<PromptRow, "promptId">>(
    `SELECT prompt_id AS promptId FROM (${selectDue("deadlines")} deadline_at <= ?
         UNION ${selectDue("reminders")} remind_at <= ?) ORDER BY created_at, row LIMIT ${DUE_ROWS}`,
  );
  readonly #nextDue = this.sqlite.prepare<[], { at: number | null }>(
    `SELECT min(at) AS at FROM (SELECT min(deadline_at) AS at FROM prompts WHERE state = 'pending'
         UNION ALL SELECT min(remind_at) FROM prompts WHERE state = 'pending')`,
  );

  #prepareListing(condition: string): Database.Statement<[ListPosition & { rows: number }], PromptColumns> {
    return this.sqlite.prepare(
      `${SELECT} WHERE ${condition} AND (created_at, rowid) > (@at, @row) ORDER BY created_at, rowid LIMIT @rows`,
    );
  }

  insert(row: PromptRow): void {
    const { contentHash, epoch } = row.event;
    const event = JSON.stringify(row.event);
    this.#insert.run({
      ...row,
      event,
      contentHash,
      epoch,
      answerable: row.answerable ? 1 : 0,
    });
  }

  /** Whether its question, its short id and its rule's verdict are as the hub stored them. */
  isSigned(promptId: string): boolean {
    return this.#isSigned.get(promptId) !== undefined;
  }

  /** Updates `row` if it is still as it was read. False if somebody else changed it first. */
  move(row: PromptRow, change: Partial<PromptProgress>): boolean {
    const { promptId, state: fromState, nonce: fromNonce } = row;
    return this.#move.run({ ...getProgress(row), ...change, promptId, fromState, fromNonce }).changes === 1;
  }

  /** And the reminders, of all open prompts. */
  moveDeadlines(byMs: number): void {
    this.#moveDeadlines.run({ byMs });
  }

  find(promptId: string): PromptRow | null {
    return this.#load(this.#byId.all(promptId))[0] ?? null;
  }

  findByKey(idempotencyKey: string): PromptRow | null {
    return this.#load(this.#byKey.all(idempotencyKey))[0] ?? null;
  }

  /** Short ids are reused: returns the open prompt, otherwise the newest with that id. */
  findByShortId(shortId: string): PromptRow | null {
    const [open] = this.#load(this.#openByShortId.all(shortId));
    return open ?? this.#load(this.#newestByShortId.all(shortId))[0] ?? null;
  }

  /** Whether the short id belongs to an open prompt or to one raised since then. */
  isShortIdTaken(shortId: string, since: number): boolean {
    return this.#shortIdTaken.get(shortId, shortId, since)?.taken === 1;
  }

  listOpen(): PromptRow[] {
    return this.#load(this.#open.all());
  }

  countOpen(): number {
    return this.#openCount.get()?.n ?? 0;
  }

  countOpenInSession(sessionId: string): number {
    return this.#openCountBySession.get(sessionId)?.n ?? 0;
  }

  /** How many the session raised after one instant and until another. */
  countRaised(sessionId: string, after: number, until: number): number {
    return this.#raisedCount.get(after, until, sessionId)?.n ?? 0;
  }

  listAfter(after: string | null, rows: number, which: "open" | "all" = "all"): PromptRow[] {
    const place = (after === null ? undefined : this.#place.get(after)) ?? BEFORE_ALL;
    return this.#load(this.#page[which].all({ ...place, rows }));
  }

  listOpenInSession(sessionId: string): PromptRow[] {
    return this.#load(this.#openBySession.all(sessionId));
  }

  listSettledInSession(sessionId: string): PromptRow[] {
    return this.#load(this.#settledBySession.all(sessionId));
  }

  /** Pending prompts with a due deadline or reminder, one batch of them. */
  listDue(now: number): Pick<PromptRow, "promptId">[] {
    return this.#due.all(now, now);
  }

  nextDueAt(): number | null {
    return this.#nextDue.get()?.at ?? null;
  }

  #load(stored: readonly PromptColumns[]): PromptRow[] {
    return this.parse(
      "prompts",
      stored,
      ({ promptId }) => promptId,
      (row) => {
        // Parsed again by who needs it.
        JSON.parse(row.verdict);
        return {
          ...row,
          event: JSON.parse(row.event) as PromptEvent,
          answerable: row.answerable === 1,
        };
      },
    );
  }
}

function getProgress(row: PromptRow): PromptProgress {
  const { state, nonce, nonceHash, replyId, answeredBy, outcome, remindAt, reminders, closedAt } = row;
  return { state, nonce, nonceHash, replyId, answeredBy, outcome, remindAt, reminders, closedAt };
}
