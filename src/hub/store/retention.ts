/**
 * What is forgotten after a while: questions, answers and cards that were settled long ago, then the sessions that have none left.
 * The audit stays for ever: it holds no text of anybody, and a chain that is cut proves nothing.
 */
import type Database from "better-sqlite3";

/** Some 20 ms each: a hub that waits longer inside one transaction would be late with an answer. */
const BATCH_PROMPTS = 200;

export interface Pruned {
  readonly prompts: number;
  readonly sessions: number;
}

const OLD_PROMPTS = `SELECT prompt_id FROM prompts WHERE closed_at < @before
  AND NOT EXISTS (SELECT 1 FROM deliveries JOIN outbox USING (delivery_id) WHERE deliveries.prompt_id = prompts.prompt_id)
  ORDER BY closed_at LIMIT ${BATCH_PROMPTS}`;

/** Of a batch that stands in `pruned_prompts`, children first. */
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

/** Texts about a session that was closed then, and the session itself; none of it may still be asked for or on its way. */
const IS_OVER = `closed_at < @before AND NOT EXISTS (SELECT 1 FROM prompts WHERE prompts.session_id = sessions.session_id)
  AND NOT EXISTS (SELECT 1 FROM deliveries JOIN outbox USING (delivery_id) WHERE deliveries.session_id = sessions.session_id)`;

interface Before {
  readonly before: number;
}

export class Retention {
  readonly #clear: Database.Statement<[]>;
  readonly #choose: Database.Statement<[Before]>;
  readonly #forget: readonly Database.Statement<[]>[];
  readonly #tasks: Database.Statement<[Before]>;
  readonly #texts: Database.Statement<[Before]>;
  readonly #sessions: Database.Statement<[Before]>;

  constructor(sqlite: Database.Database) {
    sqlite.exec("CREATE TEMP TABLE IF NOT EXISTS pruned_prompts (prompt_id TEXT PRIMARY KEY)");
    this.#clear = sqlite.prepare("DELETE FROM temp.pruned_prompts");
    this.#choose = sqlite.prepare(`INSERT INTO temp.pruned_prompts ${OLD_PROMPTS}`);
    this.#forget = FORGET.map((sql) => sqlite.prepare<[]>(sql));
    this.#tasks = sqlite.prepare(
      `DELETE FROM tasks WHERE session_id IN (SELECT session_id FROM sessions WHERE ${IS_OVER})`,
    );
    this.#texts = sqlite.prepare(
      `DELETE FROM deliveries WHERE session_id IN (SELECT session_id FROM sessions WHERE ${IS_OVER})`,
    );
    this.#sessions = sqlite.prepare(`DELETE FROM sessions WHERE ${IS_OVER}`);
  }

  /** Forgets one batch of what was settled before `before` (ms since 1970). Inside a transaction; again until nothing is left. */
  prune(before: number): Pruned {
    this.#clear.run();
    const prompts = this.#choose.run({ before }).changes;
    if (prompts > 0) for (const statement of this.#forget) statement.run();
    this.#tasks.run({ before });
    this.#texts.run({ before });
    return { prompts, sessions: this.#sessions.run({ before }).changes };
  }
}
