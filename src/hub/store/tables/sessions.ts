/** Table `sessions`: one row per supervised run, kept after its end. */
import type Database from "better-sqlite3";
import type { SessionId } from "../../../model/ids.js";
import type { ToolState } from "../../../model/tool-state.js";
import type { SessionCapabilities } from "../../../sdk/adapter.js";
import type { RowSeals } from "../seals/row-seals.js";

export interface SessionRow {
  readonly sessionId: SessionId;
  readonly tool: string;
  readonly label: string | null;
  readonly cwd: string;
  readonly command: readonly string[];
  readonly version: string;
  readonly pid: number;
  readonly pidStartTime: string | null;
  /** The session that this one runs inside. */
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

export class Sessions {
  readonly #upsert: Database.Statement<[SessionColumns]>;
  readonly #one: Database.Statement<[string], SessionColumns>;
  readonly #openCount: Database.Statement<[], { n: number }>;
  readonly #page: Readonly<
    Record<"open" | "all", Database.Statement<[{ at: number; after: string; rows: number }], SessionColumns>>
  >;
  readonly #open: Database.Statement<[], SessionColumns>;
  readonly #close: Database.Statement<[SessionEnd]>;
  readonly #state: Database.Statement<[{ sessionId: string; state: ToolState; said: string | null }]>;
  readonly #inner: Database.Statement<[string], { n: number }>;

  readonly #insert: Database.Statement<[SessionColumns]>;
  readonly #rewrite: Database.Statement<[SessionColumns]>;
  readonly #known = new Map<string, SessionRow>();

  constructor(sqlite: Database.Database, seals: RowSeals) {
    const ours = seals.buildOwnCondition("sessions");
    const insert = `INSERT INTO sessions (session_id, tool, label, cwd, command, version, pid, pid_start_time, inside, capabilities,
         tool_state, started_at)
       VALUES (@sessionId, @tool, @label, @cwd, @command, @version, @pid, @pidStartTime, @inside, @capabilities,
         @toolState, @startedAt)`;
    this.#insert = sqlite.prepare(`${insert} ON CONFLICT DO NOTHING`);
    this.#rewrite = sqlite.prepare(
      `UPDATE sessions SET tool = @tool, label = @label, cwd = @cwd, command = @command, version = @version, pid = @pid,
         pid_start_time = @pidStartTime, inside = @inside, capabilities = @capabilities, tool_state = @toolState, said = @said,
         started_at = @startedAt, closed_at = NULL, ending = NULL, exit_code = NULL, signal = NULL
       WHERE session_id = @sessionId`,
    );
    this.#upsert = sqlite.prepare(
      `${insert} ON CONFLICT (session_id) DO UPDATE SET tool = excluded.tool, label = excluded.label, cwd = excluded.cwd,
         command = excluded.command, version = excluded.version, pid = excluded.pid,
         pid_start_time = excluded.pid_start_time, capabilities = excluded.capabilities,
         closed_at = NULL, ending = NULL, exit_code = NULL, signal = NULL`,
    );
    this.#one = sqlite.prepare(`SELECT ${COLUMNS} FROM sessions WHERE session_id = ? AND ${ours}`);
    const after = "(started_at, session_id) > (@at, @after)";
    const page = "ORDER BY started_at, session_id LIMIT @rows";
    this.#page = {
      open: sqlite.prepare(
        `SELECT ${COLUMNS} FROM sessions WHERE closed_at IS NULL AND ${after} AND ${ours} ${page}`,
      ),
      all: sqlite.prepare(`SELECT ${COLUMNS} FROM sessions WHERE ${after} AND ${ours} ${page}`),
    };
    this.#openCount = sqlite.prepare("SELECT count(*) AS n FROM sessions WHERE closed_at IS NULL");
    this.#open = sqlite.prepare(
      `SELECT ${COLUMNS} FROM sessions WHERE closed_at IS NULL AND ${ours} ORDER BY started_at, session_id`,
    );
    this.#close = sqlite.prepare(
      `UPDATE sessions SET closed_at = @at, ending = @ending, exit_code = @exitCode, signal = @signal,
         tool_state = 'ended' WHERE session_id = @sessionId AND closed_at IS NULL`,
    );
    this.#state = sqlite.prepare(
      `UPDATE sessions SET tool_state = @state,
         said = CASE @state WHEN 'working' THEN NULL ELSE coalesce(@said, said) END
       WHERE session_id = @sessionId AND closed_at IS NULL`,
    );
    this.#inner = sqlite.prepare(
      `SELECT count(*) AS n FROM sessions
       WHERE inside = ? AND closed_at IS NULL AND capabilities ->> 'screenView' = 1`,
    );
    for (const { sessionId } of this.listOpen()) this.#remember(sessionId);
  }

  /** Records a session, or that its worker is back: the start time and outer session stay as first recorded. */
  open(row: SessionRow): void {
    this.#upsert.run(store(row));
    this.#remember(row.sessionId);
  }

  find(sessionId: string): SessionRow | null {
    const stored = this.#one.get(sessionId);
    return stored === undefined ? null : load(stored);
  }

  listOpen(): SessionRow[] {
    return this.#open.all().map(load);
  }

  countOpen(): number {
    return this.#openCount.get()?.n ?? 0;
  }

  /** At most `rows` sessions after `after` (from the start if it is null or unknown), oldest first. */
  listAfter(after: string | null, rows: number, which: "open" | "all" = "all"): SessionRow[] {
    const last = after === null ? null : this.find(after);
    const at = last?.startedAt ?? Number.MIN_SAFE_INTEGER;
    return this.#page[which].all({ at, after: last?.sessionId ?? "", rows }).map(load);
  }

  /** False if it was already closed. */
  close(end: SessionEnd): boolean {
    const closed = this.#close.run(end).changes === 1;
    this.#remember(end.sessionId);
    return closed;
  }

  /** `said` null: nothing new is known. The message is deleted when the tool works again. */
  setToolState(sessionId: string, state: ToolState, lastMessage: string | null): boolean {
    const changed = this.#state.run({ sessionId, state, said: lastMessage }).changes === 1;
    this.#remember(sessionId);
    return changed;
  }

  /** Whether an open session draws on this one's terminal and relays its own prompts from there. */
  hasOpenInner(sessionId: string): boolean {
    return (this.#inner.get(sessionId)?.n ?? 0) > 0;
  }

  /** The open sessions as this process knows them, whatever happened to the file. */
  listKnown(): SessionRow[] {
    return [...this.#known.values()];
  }

  /** Restores an open session's row from memory, if it is known. */
  restore(sessionId: string): void {
    const row = this.#known.get(sessionId);
    if (row === undefined) return;
    this.#insert.run(store(row));
    this.#rewrite.run(store(row));
  }

  /** Remembered in memory: a program that makes the hub forget a worker's process would no longer count as its descendant. */
  #remember(sessionId: string): void {
    const row = this.find(sessionId);
    if (row?.closedAt === null) this.#known.set(sessionId, row);
    else this.#known.delete(sessionId);
  }
}

function store(row: SessionRow): SessionColumns {
  return { ...row, command: JSON.stringify(row.command), capabilities: JSON.stringify(row.capabilities) };
}

function load(stored: SessionColumns): SessionRow {
  return {
    ...stored,
    command: JSON.parse(stored.command) as readonly string[],
    capabilities: JSON.parse(stored.capabilities) as SessionCapabilities,
  };
}
