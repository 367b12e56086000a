/** Table `prompts`. The state changes only by `move`, one guarded UPDATE. */
import type { IdempotencyKey, Nonce, PromptId, ReplyId, SessionId, ShortId } from "../../../model/ids.js";
import { isOpen, type PromptState } from "../../../model/lifecycle.js";
import type { PromptEvent } from "../../../model/prompt.js";
import { checkSignature, nameParameter, writeSignature } from "../sign-rows.js";
import { unreadableEvent } from "../unreadable-rows.js";
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
type StoredPrompt = PromptColumns & { isSigned: number };

const COLUMNS = `prompt_id AS promptId, session_id AS sessionId, short_id AS shortId, idempotency_key AS idempotencyKey,
  state, event, verdict, answerable, nonce, nonce_hash AS nonceHash, reply_id AS replyId, answered_by AS answeredBy, outcome,
  created_at AS createdAt, deadline_at AS deadlineAt, remind_at AS remindAt, reminders, closed_at AS closedAt,
  ${checkSignature("prompts")} AS isSigned`;

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

/** SQL for the signature once these columns have other values. A row that the hub has not stored gets none. */
function signWith(changed: Readonly<Record<string, string>>): string {
  const signature = writeSignature("prompts", (column) => changed[column] ?? column);
  return `iif(${checkSignature("prompts")}, ${signature}, NULL)`;
}

const BEFORE_ALL: ListPosition = { at: Number.MIN_SAFE_INTEGER, row: 0 };

// Without INDEXED BY, SQLite scans the whole table in the order of the union.
const selectDue = (index: string): string =>
  `SELECT prompt_id, created_at, rowid AS row FROM prompts INDEXED BY ${index} WHERE state = 'pending' AND`;

type Insert = PromptColumns & { contentHash: string; epoch: number };
type Move = PromptProgress & { promptId: string; fromState: string; fromNonce: string | null };
type Page = [ListPosition & { rows: number }];

export class Prompts extends Table<StoredPrompt, PromptRow> {
  readonly #insert = this.change<[Insert]>(
    `INSERT INTO prompts (prompt_id, session_id, short_id, idempotency_key, state, event, content_hash,
         epoch, verdict, answerable, created_at, deadline_at, remind_at, reminders, mac)
       VALUES (@promptId, @sessionId, @shortId, @idempotencyKey, @state, @event, @contentHash,
         @epoch, @verdict, @answerable, @createdAt, @deadlineAt, @remindAt, @reminders,
         ${writeSignature("prompts", nameParameter)})`,
  );
  readonly #move = this.change<[Move]>(
    `UPDATE prompts SET state = @state, nonce = @nonce, nonce_hash = @nonceHash, reply_id = @replyId,
         answered_by = @answeredBy, outcome = @outcome, remind_at = @remindAt, reminders = @reminders,
         closed_at = @closedAt, mac = ${signWith({ remind_at: "@remindAt", reminders: "@reminders" })}
       WHERE prompt_id = @promptId AND state = @fromState AND nonce IS @fromNonce`,
  );
  readonly #openByShortId = this.row<[shortId: string]>(`${SELECT} WHERE short_id = ?1 AND ${IS_OPEN}`);
  readonly #newestByShortId = this.row<[shortId: string]>(
    `${SELECT} WHERE short_id = ?1 ORDER BY created_at DESC, rowid DESC LIMIT 1`,
  );
  readonly #place = this.records<[promptId: string], ListPosition>(
    "SELECT created_at AS at, rowid AS row FROM prompts WHERE prompt_id = ?1",
  );
  readonly #page = {
    open: this.rows<Page>(
      `${SELECT} WHERE ${IS_OPEN} AND (created_at, rowid) > (@at, @row) ORDER BY created_at, rowid LIMIT @rows`,
    ),
    all: this.rows<Page>(
      `${SELECT} WHERE (created_at, rowid) > (@at, @row) ORDER BY created_at, rowid LIMIT @rows`,
    ),
  };

  /** And the reminders, of all open prompts. */
  readonly moveDeadlines = this.change<[byMs: number]>(
    `UPDATE prompts SET deadline_at = deadline_at + ?1, remind_at = remind_at + ?1,
         mac = ${signWith({ deadline_at: "deadline_at + ?1", remind_at: "remind_at + ?1" })}
       WHERE (deadline_at IS NOT NULL OR remind_at IS NOT NULL) AND ${IS_OPEN}`,
  );
  readonly find = this.row<[promptId: string]>(`${SELECT} WHERE prompt_id = ?1`);
  readonly findByKey = this.row<[idempotencyKey: string]>(`${SELECT} WHERE idempotency_key = ?1`);
  /** Whether the short id belongs to an open prompt or to one raised since then. */
  readonly isShortIdUsed = this.exists<[shortId: string, since: number]>(
    `SELECT 1 FROM prompts WHERE short_id = ?1 AND ${IS_OPEN}
       UNION ALL SELECT 1 FROM prompts WHERE short_id = ?1 AND created_at >= ?2`,
  );
  readonly listOpen = this.rows(`${SELECT} WHERE ${IS_OPEN} ORDER BY created_at, rowid`);
  readonly countOpen = this.number(`SELECT count(*) FROM prompts WHERE ${IS_OPEN}`);
  readonly countOpenInSession = this.number<[sessionId: string]>(
    `SELECT count(*) FROM prompts WHERE session_id = ?1 AND ${IS_OPEN}`,
  );
  readonly countRaised = this.number<[sessionId: string, after: number, until: number]>(
    "SELECT count(*) FROM prompts WHERE created_at > ?2 AND created_at <= ?3 AND session_id = ?1",
  );
  readonly listOpenInSession = this.rows<[sessionId: string]>(
    `${SELECT} WHERE session_id = ?1 AND ${IS_OPEN} ORDER BY created_at, rowid`,
  );
  readonly listSettledInSession = this.rows<[sessionId: string]>(
    `SELECT * FROM (${SELECT} WHERE session_id = ?1 AND NOT ${IS_OPEN}
         ORDER BY created_at DESC, rowid DESC LIMIT ${SETTLED_ROWS}) ORDER BY createdAt`,
  );
  /** Pending prompts with a due deadline or reminder, one batch of them. */
  readonly listDue = this.records<[now: number], Pick<PromptRow, "promptId">>(
    `SELECT prompt_id AS promptId FROM (${selectDue("deadlines")} deadline_at <= ?1
         UNION ${selectDue("reminders")} remind_at <= ?1) ORDER BY created_at, row LIMIT ${DUE_ROWS}`,
  );
  readonly nextDueAt = this.value<[], number>(
    `SELECT min(at) FROM (SELECT min(deadline_at) AS at FROM prompts WHERE state = 'pending'
         UNION ALL SELECT min(remind_at) FROM prompts WHERE state = 'pending')`,
  );

  insert(row: PromptRow): void {
    const { contentHash, epoch } = row.event;
    const event = JSON.stringify(row.event);
    this.#insert({ ...row, event, contentHash, epoch, answerable: row.answerable ? 1 : 0 });
  }

  /** False if the row was changed since it was read. */
  move(row: PromptRow, change: Partial<PromptProgress>): boolean {
    const { promptId, state: fromState, nonce: fromNonce } = row;
    return this.#move({ ...getProgress(row), ...change, promptId, fromState, fromNonce }) === 1;
  }

  /** Short ids are reused: returns the open prompt, otherwise the newest with that id. */
  findByShortId(shortId: string): PromptRow | null {
    return this.#openByShortId(shortId) ?? this.#newestByShortId(shortId);
  }

  listAfter(after: string | null, rows: number, which: "open" | "all" = "all"): PromptRow[] {
    const [place = BEFORE_ALL] = after === null ? [] : this.#place(after);
    return this.#page[which]({ ...place, rows });
  }

  /** A row that the hub did not store as it stands is unreadable while it is open; of a settled one nothing is known but its ids. */
  protected override decode({ isSigned, ...stored }: StoredPrompt): PromptRow {
    // Parsed again by who needs it.
    JSON.parse(stored.verdict);
    const event = JSON.parse(stored.event) as PromptEvent;
    if (isSigned === 1) return { ...stored, event, answerable: stored.answerable === 1 };
    if (isOpen(stored.state)) throw new SyntaxError("an open prompt without its signature");
    const { promptId, sessionId, idempotencyKey } = stored;
    const unknown = { ...unreadableEvent, promptId, sessionId, idempotencyKey };
    return { ...stored, event: unknown, verdict: "{}", answerable: false };
  }

  protected override locate({ promptId }: StoredPrompt) {
    return ["prompts", promptId] as const;
  }
}

function getProgress(row: PromptRow): PromptProgress {
  const { state, nonce, nonceHash, replyId, answeredBy, outcome, remindAt, reminders, closedAt } = row;
  return { state, nonce, nonceHash, replyId, answeredBy, outcome, remindAt, reminders, closedAt };
}
