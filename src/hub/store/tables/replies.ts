/** Table `replies`: every claimed answer, kept until its worker has it and afterwards as a record. */
import { formatInstant } from "../../../model/clock.js";
import type { Identity, Nonce, PromptId, ReplyId, SessionId } from "../../../model/ids.js";
import type { NewlinePolicy, Reply } from "../../../model/answer/reply.js";
import { Table } from "./table.js";

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
  readonly person: string;
  readonly newlinePolicy: NewlinePolicy;
  readonly state: ReplyState;
  readonly receivedAt: number;
}

const COLUMNS = `reply_id AS replyId, prompt_id AS promptId, session_id AS sessionId, value, text, nonce, identity, person,
  newline_policy AS newlinePolicy, state, received_at AS receivedAt`;

export class Replies extends Table {
  readonly #insert = this.sqlite.prepare<[ReplyRow]>(
    `INSERT INTO replies VALUES (@replyId, @promptId, @sessionId, @value, @text, @nonce, @identity, @person,
         @newlinePolicy, @state, @receivedAt)`,
  );
  readonly #state = this.sqlite.prepare<[ReplyState, string]>(
    "UPDATE replies SET state = ? WHERE reply_id = ?",
  );
  readonly #held = this.sqlite.prepare<[string]>(
    "UPDATE replies SET state = 'held' WHERE reply_id = ? AND state = 'waiting'",
  );
  readonly #one = this.sqlite.prepare<[string], ReplyRow>(
    `SELECT ${COLUMNS} FROM replies WHERE reply_id = ?`,
  );
  readonly #refused = this.sqlite.prepare<[string, string], { refused: number }>(
    `SELECT EXISTS (SELECT 1 FROM replies WHERE prompt_id = ? AND identity = ? AND state = 'refused') AS refused`,
  );
  readonly #open = this.sqlite.prepare<[string], ReplyRow>(
    `SELECT ${COLUMNS} FROM replies WHERE session_id = ? AND state IN ('waiting', 'held') ORDER BY received_at, rowid`,
  );

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
