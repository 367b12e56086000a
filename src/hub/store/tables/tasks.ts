/** Table `tasks`: the tasks that people gave to a tool. */
import type { DeliveryId, Identity, SessionId, TaskId } from "../../../model/ids.js";
import { checkSignature, nameParameter, writeSignature } from "../sign-rows.js";
import { Table } from "./table.js";

export interface TaskRow {
  readonly taskId: TaskId;
  readonly sessionId: SessionId;
  readonly text: string;
  readonly identity: Identity;
  readonly person: string;
  /** `begun`: its audit row is written, and the worker may type it. */
  readonly state: "waiting" | "begun" | "done";
  readonly deliveryId: DeliveryId;
  readonly createdAt: number;
}

const COLUMNS = `task_id AS taskId, session_id AS sessionId, text, identity, person, state, delivery_id AS deliveryId,
  created_at AS createdAt`;

const SELECT = `SELECT ${COLUMNS} FROM tasks WHERE ${checkSignature("tasks")}`;

export class Tasks extends Table<TaskRow> {
  readonly insert = this.change<[TaskRow]>(
    `INSERT INTO tasks (task_id, session_id, text, identity, person, state, delivery_id, created_at, mac)
       VALUES (@taskId, @sessionId, @text, @identity, @person, @state, @deliveryId, @createdAt,
         ${writeSignature("tasks", nameParameter)})`,
  );
  readonly find = this.row<[taskId: string]>(`${SELECT} AND task_id = ?1`);
  readonly findByDelivery = this.row<[deliveryId: string]>(`${SELECT} AND delivery_id = ?1`);
  /** Open tasks in the order in which they arrived. */
  readonly listOpenInSession = this.rows<[sessionId: string]>(
    `${SELECT} AND session_id = ?1 AND state <> 'done' ORDER BY created_at, rowid`,
  );
  /** Whether one was given, or taken by the tool, at or after that instant. */
  readonly hasSince = this.exists<[sessionId: string, at: number]>(
    "SELECT 1 FROM tasks WHERE session_id = ?1 AND (created_at >= ?2 OR closed_at >= ?2)",
  );
  readonly #waiting = this.records<[], { sessionId: SessionId }>(
    "SELECT DISTINCT session_id AS sessionId FROM tasks WHERE state <> 'done'",
  );
  readonly begin = this.change<[taskId: string, auditPosition: number]>(
    "UPDATE tasks SET state = 'begun', audit_position = ?2 WHERE task_id = ?1 AND state = 'waiting'",
  );
  readonly close = this.change<[taskId: string, at: number]>(
    "UPDATE tasks SET state = 'done', closed_at = ?2 WHERE task_id = ?1 AND state <> 'done'",
  );
  /** Makes another message the one that says what became of the task. */
  readonly setDelivery = this.change<[taskId: string, deliveryId: string]>(
    `UPDATE tasks SET delivery_id = ?2, mac = ${writeSignature("tasks", (column) => (column === "delivery_id" ? "?2" : column))}
       WHERE task_id = ?1 AND ${checkSignature("tasks")}`,
  );

  listSessionsWithOpen(): SessionId[] {
    return this.#waiting().map(({ sessionId }) => sessionId);
  }
}
