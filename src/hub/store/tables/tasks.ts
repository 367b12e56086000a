/** Table `tasks`: the tasks that people gave to a tool. */
import type { DeliveryId, Identity, SessionId, TaskId } from "../../../model/ids.js";
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

export class Tasks extends Table {
  readonly #insert = this.sqlite.prepare<[TaskRow]>(
    `INSERT INTO tasks (task_id, session_id, text, identity, person, state, delivery_id, created_at)
       VALUES (@taskId, @sessionId, @text, @identity, @person, @state, @deliveryId, @createdAt)`,
  );
  readonly #one = this.sqlite.prepare<[string], TaskRow>(`SELECT ${COLUMNS} FROM tasks WHERE task_id = ?`);
  readonly #byDelivery = this.sqlite.prepare<[string], TaskRow>(
    `SELECT ${COLUMNS} FROM tasks WHERE delivery_id = ?`,
  );
  readonly #openBySession = this.sqlite.prepare<[string], TaskRow>(
    `SELECT ${COLUMNS} FROM tasks WHERE session_id = ? AND state <> 'done' ORDER BY created_at, rowid`,
  );
  readonly #waiting = this.sqlite.prepare<[], { sessionId: SessionId }>(
    "SELECT DISTINCT session_id AS sessionId FROM tasks WHERE state <> 'done'",
  );
  readonly #begin = this.sqlite.prepare<[number, string]>(
    "UPDATE tasks SET state = 'begun', audit_position = ? WHERE task_id = ? AND state = 'waiting'",
  );
  readonly #close = this.sqlite.prepare<[number, string]>(
    "UPDATE tasks SET state = 'done', closed_at = ? WHERE task_id = ? AND state <> 'done'",
  );

  insert(row: TaskRow): void {
    this.#insert.run(row);
  }

  find(taskId: string): TaskRow | null {
    return this.#one.get(taskId) ?? null;
  }

  findByDelivery(deliveryId: string): TaskRow | null {
    return this.#byDelivery.get(deliveryId) ?? null;
  }

  /** Open tasks in the order in which they arrived. */
  listOpenInSession(sessionId: string): TaskRow[] {
    return this.#openBySession.all(sessionId);
  }

  listSessionsWithOpen(): SessionId[] {
    return this.#waiting.all().map(({ sessionId }) => sessionId);
  }

  begin(taskId: string, auditPosition: number): void {
    this.#begin.run(auditPosition, taskId);
  }

  close(taskId: string, at: number): void {
    this.#close.run(at, taskId);
  }
}
