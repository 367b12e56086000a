/** Table `sessions`: one row per supervised run, kept after its end. */
import type Database from "better-sqlite3";
import type { SessionId } from "../../../model/ids.js";
import type { ToolState } from "../../../model/tool-state.js";
import type { SessionCapabilities } from "../../../sdk/adapter.js";
import { Table } from "./table.js";

export interface SessionRow {
  readonly sessionId: SessionId;
  readonly tool: string;
  readonly label: string | null;
  readonly cwd: string;
  readonly command: readonly string[];
  readonly version: string;
  readonly pid: number;
  readonly pidStartTime: string | null;
  readonly inside: SessionId | null;
  readonly capabilities: SessionCapabilities;
  readonly toolState: ToolState;
  /** The tool's last message before it became idle; null while it works. */
  readonly said: string | null;
  readonly startedAt: number;
  readonly closedAt: number | null;
  readonly ending: "closed" | "lost" | null;
  readonly exitCode: number | null;
  readonly signal: string | null;
}

type SessionColumns = Omit<SessionRow, "command" | "capabilities"> & {
  command: string;
  capabilities: string;
};

export interface SessionEnd {
  readonly sessionId: SessionId;
  readonly at: number;
  readonly ending: "closed" | "lost";
  readonly exitCode: number | null;
  readonly signal: string | null;
}

const COLUMNS = `session_id AS sessionId, tool, label, cwd, command, version, pid, pid_start_time AS pidStartTime, inside,
  capabilities, tool_state AS toolState, said, started_at AS startedAt, closed_at AS closedAt, ending,
  exit_code AS exitCode, signal`;

export class Sessions extends Table {
  readonly #page = { open: this.#prepareListing("closed_at IS NULL"), all: this.#prepareListing("TRUE") };

  readonly #upsert = this.sqlite.prepare<[SessionColumns]>(
    `INSERT INTO sessions (session_id, tool, label, cwd, command, version, pid, pid_start_time, inside, capabilities,
         tool_state, started_at)
       VALUES (@sessionId, @tool, @label, @cwd, @command, @version, @pid, @pidStartTime, @inside, @capabilities,
         @toolState, @startedAt)
       ON CONFLICT (session_id) DO UPDATE SET tool = excluded.tool, label = excluded.label, cwd = excluded.cwd,
         command = excluded.command, version = excluded.version, pid = excluded.pid,
         pid_start_time = excluded.pid_start_time, capabilities = excluded.capabilities,
         closed_at = NULL, ending = NULL, exit_code = NULL, signal = NULL`,
  );
  readonly #one = this.sqlite.prepare<[string], SessionColumns>(
    `SELECT ${COLUMNS} FROM sessions WHERE session_id = ?`,
  );
  readonly #openCount = this.sqlite.prepare<[], { n: number }>(
    "SELECT count(*) AS n FROM sessions WHERE closed_at IS NULL",
  );
  readonly #open = this.sqlite.prepare<[], SessionColumns>(
    `SELECT ${COLUMNS} FROM sessions WHERE closed_at IS NULL ORDER BY started_at, session_id`,
  );
  readonly #close = this.sqlite.prepare<[SessionEnd]>(
    `UPDATE sessions SET closed_at = @at, ending = @ending, exit_code = @exitCode, signal = @signal,
         tool_state = 'ended' WHERE session_id = @sessionId AND closed_at IS NULL`,
  );
  readonly #state = this.sqlite.prepare<[{ sessionId: string; state: ToolState; said: string | null }]>(
    `UPDATE sessions SET tool_state = @state,
         said = CASE @state WHEN 'working' THEN NULL ELSE coalesce(@said, said) END
       WHERE session_id = @sessionId AND closed_at IS NULL`,
  );
  readonly #inner = this.sqlite.prepare<[string], { n: number }>(
    `SELECT count(*) AS n FROM sessions
       WHERE inside = ? AND closed_at IS NULL AND capabilities ->> 'screenView' = 1`,
  );

  #prepareListing(
    condition: string,
  ): Database.Statement<[{ at: number; after: string; rows: number }], SessionColumns> {
    return this.sqlite.prepare(
      `SELECT ${COLUMNS} FROM sessions WHERE ${condition} AND (started_at, session_id) > (@at, @after)
       ORDER BY started_at, session_id LIMIT @rows`,
    );
  }

  /** Records a session, or that its worker is back: the start time and outer session stay as first recorded. */
  open(row: SessionRow): void {
    const [command, capabilities] = [JSON.stringify(row.command), JSON.stringify(row.capabilities)];
    this.#upsert.run({ ...row, command, capabilities });
  }

  find(sessionId: string): SessionRow | null {
    return this.#load(this.#one.all(sessionId))[0] ?? null;
  }

  listOpen(): SessionRow[] {
    return this.#load(this.#open.all());
  }

  countOpen(): number {
    return this.#openCount.get()?.n ?? 0;
  }

  /** At most `rows` sessions after `after` (from the start if it is null or unknown), oldest first. */
  listAfter(after: string | null, rows: number, which: "open" | "all" = "all"): SessionRow[] {
    const last = after === null ? null : this.find(after);
    const at = last?.startedAt ?? Number.MIN_SAFE_INTEGER;
    return this.#load(this.#page[which].all({ at, after: last?.sessionId ?? "", rows }));
  }

  close(end: SessionEnd): boolean {
    return this.#close.run(end).changes === 1;
  }

  /** `said` null: nothing new is known. The message is deleted when the tool works again. */
  setToolState(sessionId: string, state: ToolState, lastMessage: string | null): boolean {
    return this.#state.run({ sessionId, state, said: lastMessage }).changes === 1;
  }

  /** Whether an open session draws on this one's terminal and relays its own prompts from there. */
  hasOpenInner(sessionId: string): boolean {
    return (this.#inner.get(sessionId)?.n ?? 0) > 0;
  }

  #load(stored: readonly SessionColumns[]): SessionRow[] {
    return this.parse(
      "sessions",
      stored,
      ({ sessionId }) => sessionId,
      (row) => ({
        ...row,
        command: JSON.parse(row.command) as readonly string[],
        capabilities: JSON.parse(row.capabilities) as SessionCapabilities,
      }),
    );
  }
}
