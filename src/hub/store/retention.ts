/** Deletes old settled rows, then sessions that have none left. The audit stays: a truncated chain proves nothing. */
import type Database from "better-sqlite3";

/** About 20 ms each: a longer transaction would delay answers. */
const BATCH_PROMPTS = 200;
const BATCH_SESSIONS = 50;

export interface Pruned {
  readonly prompts: number;
  readonly sessions: number;
}

const OLD_PROMPTS = `SELECT prompt_id FROM prompts WHERE closed_at < @before
  AND NOT EXISTS (SELECT 1 FROM deliveries JOIN outbox USING (delivery_id) WHERE deliveries.prompt_id = prompts.prompt_id)
  ORDER BY closed_at LIMIT ${BATCH_PROMPTS}`;

/** Deletes the batch in `pruned_prompts`, children first. */
const FORGET = [
  `DELETE FROM tokens WHERE delivery_id IN
     (SELECT delivery_id FROM deliveries WHERE prompt_id IN (SELECT prompt_id FROM temp.pruned_prompts))`,
  "DELETE FROM deliveries WHERE twin_of IS NOT NULL AND prompt_id IN (SELECT prompt_id FROM temp.pruned_prompts)",
  "DELETE FROM deliveries WHERE prompt_id IN (SELECT prompt_id FROM temp.pruned_prompts)",
  "DELETE FROM injections WHERE prompt_id IN (SELECT prompt_id FROM temp.pruned_prompts)",
  "UPDATE prompts SET reply_id = NULL WHERE prompt_id IN (SELECT prompt_id FROM temp.pruned_prompts)",
  "DELETE FROM replies WHERE prompt_id IN (SELECT prompt_id FROM temp.pruned_prompts)",
  "DELETE FROM prompts WHERE prompt_id IN (SELECT prompt_id FROM temp.pruned_prompts)",
];

/** Sessions that were closed before the limit and that no row refers to. */
const OLD_SESSIONS = `SELECT session_id FROM sessions WHERE closed_at < @before
  AND NOT EXISTS (SELECT 1 FROM prompts WHERE prompts.session_id = sessions.session_id)
  AND NOT EXISTS (SELECT 1 FROM deliveries JOIN outbox USING (delivery_id) WHERE deliveries.session_id = sessions.session_id)
  ORDER BY closed_at LIMIT ${BATCH_SESSIONS}`;

/** Deletes the batch in `pruned_sessions`: texts about them, then the sessions. */
const FORGET_SESSIONS = [
  "DELETE FROM tasks WHERE session_id IN (SELECT session_id FROM temp.pruned_sessions)",
  "DELETE FROM deliveries WHERE session_id IN (SELECT session_id FROM temp.pruned_sessions)",
  `DELETE FROM settings WHERE scope IN ('mode', 'policy', 'approval', 'relay', 'resume')
     AND substr(key, 1, 36) IN (SELECT session_id FROM temp.pruned_sessions)`,
  "DELETE FROM sessions WHERE session_id IN (SELECT session_id FROM temp.pruned_sessions)",
];

interface Before {
  readonly before: number;
}

export class Retention {
  readonly #clear: readonly Database.Statement<[]>[];
  readonly #choosePrompts: Database.Statement<[Before]>;
  readonly #chooseSessions: Database.Statement<[Before]>;
  readonly #forgetPrompts: readonly Database.Statement<[]>[];
  readonly #forgetSessions: readonly Database.Statement<[]>[];

  constructor(sqlite: Database.Database) {
    sqlite.exec("CREATE TEMP TABLE IF NOT EXISTS pruned_prompts (prompt_id TEXT PRIMARY KEY)");
    sqlite.exec("CREATE TEMP TABLE IF NOT EXISTS pruned_sessions (session_id TEXT PRIMARY KEY)");
    this.#clear = ["pruned_prompts", "pruned_sessions"].map((name) =>
      sqlite.prepare<[]>(`DELETE FROM temp.${name}`),
    );
    this.#choosePrompts = sqlite.prepare(`INSERT INTO temp.pruned_prompts ${OLD_PROMPTS}`);
    this.#chooseSessions = sqlite.prepare(`INSERT INTO temp.pruned_sessions ${OLD_SESSIONS}`);
    this.#forgetPrompts = FORGET.map((sql) => sqlite.prepare<[]>(sql));
    this.#forgetSessions = FORGET_SESSIONS.map((sql) => sqlite.prepare<[]>(sql));
  }

  /** Deletes one batch of rows that were settled before `before` (ms since 1970). Repeat until nothing is left. */
  prune(before: number): Pruned {
    for (const statement of this.#clear) statement.run();
    const prompts = this.#choosePrompts.run({ before }).changes;
    if (prompts > 0) for (const statement of this.#forgetPrompts) statement.run();
    const sessions = this.#chooseSessions.run({ before }).changes;
    if (sessions > 0) for (const statement of this.#forgetSessions) statement.run();
    return { prompts, sessions };
  }
}
