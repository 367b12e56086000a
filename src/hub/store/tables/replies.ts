/** Table `replies`: every claimed answer, kept until its worker has it and afterwards as a record. */
import type Database from "better-sqlite3";
import { formatInstant } from "../../../model/clock.js";
import type { Identity, Nonce, PromptId, ReplyId, SessionId } from "../../../model/ids.js";
import type { RowSeals } from "../seals/row-seals.js";
import type { NewlinePolicy, Reply } from "../../../model/answer/reply.js";

/** `waiting`: the worker has not acknowledged it. `held`: it has. `begun`: it is being typed. The others are final. */
export type ReplyState = "waiting" | "held" | "refused" | "begun" | "done" | "void";

export interface ReplyRow {
  readonly replyId: ReplyId;
  readonly promptId: PromptId;
  readonly sessionId: SessionId;
  readonly value: string;
  readonly text: string | null;
  readonly nonce: Nonce;
  readonly identity: Identity;
  /** Name of the person at the time of the claim. */
  readonly person: string;
  readonly newlinePolicy: NewlinePolicy;
  readonly state: ReplyState;
  readonly receivedAt: number;
}

const COLUMNS = `reply_id AS replyId, prompt_id AS promptId, session_id AS sessionId, value, text, nonce, identity, person,
  newline_policy AS newlinePolicy, state, received_at AS receivedAt`;

export class Replies {
  readonly #insert: Database.Statement<[ReplyRow]>;
  readonly #state: Database.Statement<[ReplyState, string]>;
  readonly #held: Database.Statement<[string]>;
  readonly #one: Database.Statement<[string], ReplyRow>;
  readonly #refused: Database.Statement<[string, string], { refused: number }>;
  readonly #open: Database.Statement<[string], ReplyRow>;

  constructor(sqlite: Database.Database, seals: RowSeals) {
    const ours = seals.buildOwnCondition("replies");
    this.#insert = sqlite.prepare(
      `INSERT INTO replies VALUES (@replyId, @promptId, @sessionId, @value, @text, @nonce, @identity, @person,
         @newlinePolicy, @state, @receivedAt, NULL)`,
    );
    this.#state = sqlite.prepare("UPDATE replies SET state = ? WHERE reply_id = ?");
    this.#held = sqlite.prepare("UPDATE replies SET state = 'held' WHERE reply_id = ? AND state = 'waiting'");
    this.#one = sqlite.prepare(`SELECT ${COLUMNS} FROM replies WHERE reply_id = ? AND ${ours}`);
    this.#refused = sqlite.prepare(
      `SELECT EXISTS (SELECT 1 FROM replies WHERE prompt_id = ? AND identity = ? AND state = 'refused' AND ${ours}) AS refused`,
    );
    this.#open = sqlite.prepare(
      `SELECT ${COLUMNS} FROM replies WHERE session_id = ? AND state IN ('waiting', 'held') AND ${ours} ORDER BY received_at, rowid`,
    );
  }

  insert(row: ReplyRow): void {
    this.#insert.run(row);
  }

  setState(replyId: string, state: ReplyState): void {
    this.#state.run(state, replyId);
  }

  /** The worker acknowledged it. False if its state had already moved on. */
  markHeld(replyId: string): boolean {
    return this.#held.run(replyId).changes === 1;
  }

  find(replyId: string): ReplyRow | null {
    return this.#one.get(replyId) ?? null;
  }

  /** The worker did not apply an answer of theirs to the prompt. */
  isRefused(promptId: string, identity: Identity): boolean {
    return this.#refused.get(promptId, identity)?.refused === 1;
  }

  /** Claimed, and neither begun nor refused. */
  listOpenInSession(sessionId: string): ReplyRow[] {
    return this.#open.all(sessionId);
  }
}

/** The row as the worker receives it. */
export function toReply(row: ReplyRow): Reply {
  const { replyId, promptId, sessionId, value, text, nonce, identity, newlinePolicy, receivedAt } = row;
  return {
    replyId,
    promptId,
    sessionId,
    value,
    ...(text === null ? {} : { text }),
    nonce,
    channelIdentity: identity,
    timestamp: formatInstant(receivedAt),
    newlinePolicy,
  };
}
