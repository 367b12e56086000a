/**
 * The replacement for a row that the hub did not write: just enough that rows referring to it keep working, and nothing that
 * takes effect.
 */
import { NO_SHORT_ID } from "../../../model/no-open-prompts.js";
import type { SealedTableName } from "./sealed-tables.js";
import { PRIORITY } from "../tables/outbox.js";
import { unprovedEvent, UNPROVED_TEXT } from "./unproved-prompt.js";

const text = (words: string): string => `'${words.replaceAll("'", "''")}'`;

/** The outcome, in SQL, on the cards of a prompt that was given up. */
export const GIVEN_UP = text(JSON.stringify({ state: "failed", text: UNPROVED_TEXT, final: true }));
const NO_POWERS = JSON.stringify({ chatTurns: false, screenView: false });
/** No process has this number: the kernel's maximum is 4,194,304. */
export const NO_PROCESS = 2_147_483_647;

/**
 * A card whose prompt can no longer be answered: it stays bound to its message, which will say so. Its buttons are not the
 * hub's rows, so they are gone. Only for a posted card whose prompt exists.
 */
export const ENDED_CARD: readonly string[] = [
  "UPDATE deliveries SET role = NULL WHERE delivery_id = @id",
  "DELETE FROM outbox WHERE delivery_id = @id",
  `INSERT INTO outbox (delivery_id, kind, priority, due_at, outcome) VALUES (@id, 'settle', ${PRIORITY.edit}, @at, ${GIVEN_UP})`,
];

/** `@id` is the row, `@at` the instant. The row is sealed afterwards. */
export const MENDED: Readonly<Record<SealedTableName, readonly string[]>> = {
  sessions: [
    `UPDATE sessions SET tool = 'unknown', label = NULL, cwd = '/', command = '[]', version = '0', pid = ${NO_PROCESS},
       pid_start_time = NULL, inside = NULL, capabilities = ${text(NO_POWERS)}, tool_state = 'working', said = NULL, signal = NULL
     WHERE session_id = @id`,
  ],
  prompts: [
    `UPDATE prompts SET event = json_patch(${text(JSON.stringify(unprovedEvent))}, json_object('promptId', prompt_id,
         'sessionId', session_id, 'idempotencyKey', idempotency_key)),
       short_id = ${text(NO_SHORT_ID)}, content_hash = '', verdict = '{}', answerable = 0, nonce = NULL, nonce_hash = NULL, answered_by = NULL,
       remind_at = NULL, outcome = ${text(UNPROVED_TEXT)}, closed_at = coalesce(closed_at, @at),
       state = CASE WHEN state = 'injecting' THEN 'uncertain' ELSE 'failed' END
     WHERE prompt_id = @id`,
    "UPDATE replies SET state = 'void' WHERE prompt_id = @id AND state IN ('waiting', 'held')",
    `INSERT INTO outbox (delivery_id, kind, priority, due_at, outcome)
     SELECT delivery_id, 'settle', ${PRIORITY.edit}, @at, ${GIVEN_UP} FROM deliveries
     WHERE prompt_id = @id AND text IS NULL AND state = 'posted' ON CONFLICT DO NOTHING`,
  ],
  replies: [
    `UPDATE replies SET state = 'void', value = '', text = NULL, identity = 'unknown', person = 'unknown' WHERE reply_id = @id`,
  ],
  injections: ["UPDATE injections SET ends_tool = 0 WHERE reply_id = @id"],
  deliveries: [
    `UPDATE deliveries SET prompt_id = NULL, text = '', state = 'abandoned', ref = NULL, twin_of = NULL, role = NULL
     WHERE delivery_id = @id`,
    "DELETE FROM outbox WHERE delivery_id = @id",
  ],
  tokens: ["DELETE FROM tokens WHERE token = @id"],
  outbox: ["DELETE FROM outbox WHERE outbox_id = @id"],
  spool: [
    `UPDATE spool SET handled_at = coalesce(handled_at, @at), answered_at = @at, raw = '', answer = NULL WHERE spool_id = @id`,
  ],
  settings: ["DELETE FROM settings WHERE scope || '/' || key = @id"],
  tasks: [
    `UPDATE tasks SET state = 'done', closed_at = coalesce(closed_at, @at), text = '', identity = 'unknown', person = 'unknown'
     WHERE task_id = @id`,
  ],
};
