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

export class Replies extends Table<ReplyRow> {
  readonly insert = this.change<[ReplyRow]>(
    `INSERT INTO replies VALUES (@replyId, @promptId, @sessionId, @value, @text, @nonce, @identity, @person,
         @newlinePolicy, @state, @receivedAt)`,
  );
  readonly setState = this.change<[replyId: string, state: ReplyState]>(
    "UPDATE replies SET state = ?2 WHERE reply_id = ?1",
  );
  readonly #held = this.change<[replyId: string]>(
    "UPDATE replies SET state = 'held' WHERE reply_id = ?1 AND state = 'waiting'",
  );
  readonly find = this.row<[replyId: string]>(`SELECT ${COLUMNS} FROM replies WHERE reply_id = ?1`);
  /** The worker did not apply an answer of theirs to the prompt. */
  readonly isRefused = this.exists<[promptId: string, identity: Identity]>(
    "SELECT 1 FROM replies WHERE prompt_id = ?1 AND identity = ?2 AND state = 'refused'",
  );
  /** Claimed, and neither begun nor refused. */
  readonly listOpenInSession = this.rows<[sessionId: string]>(
    `SELECT ${COLUMNS} FROM replies WHERE session_id = ?1 AND state IN ('waiting', 'held') ORDER BY received_at, rowid`,
  );

  /** The worker acknowledged it. False if its state had already moved on. */
  markHeld(replyId: string): boolean {
    return this.#held(replyId) === 1;
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
