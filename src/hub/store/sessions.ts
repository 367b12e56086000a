/** Table `sessions`: one row a supervised run, kept after its end. */
import type Database from "better-sqlite3";
import type { SessionId } from "../../model/ids.js";
import type { ToolState } from "../../model/tool-state.js";
import type { SessionCapabilities } from "../../sdk/adapter.js";
import { readObject, type Quarantine } from "./quarantine.js";

export interface SessionRow {
  readonly sessionId: SessionId;
  readonly tool: string;
  readonly label: string | null;
  readonly cwd: string;
  readonly command: readonly string[];
  readonly version: string;
  readonly pid: number;
  readonly pidStartTime: string | null;
  /** The session this one runs inside of. */
  readonly inside: SessionId | null;
  readonly capabilities: SessionCapabilities;
  readonly toolState: ToolState;
  /** What the tool said before it became idle; null while it works. */
  readonly said: string | null;
  readonly startedAt: number;
  readonly closedAt: number | null;
  readonly ending: "closed" | "lost" | null;
  readonly exitCode: number | null;
  readonly signal: string | null;
}

type Stored = Omit<SessionRow, "command" | "capabilities"> & { command: string; capabilities: string };

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
  readonly #upsert: Database.Statement<[Stored]>;
  readonly #one: Database.Statement<[string], Stored>;
  readonly #openCount: Database.Statement<[], { n: number }>;
  readonly #page: Readonly<
    Record<"open" | "all", Database.Statement<[{ at: number; after: string; rows: number }], Stored>>
  >;
  readonly #open: Database.Statement<[], Stored>;
  readonly #close: Database.Statement<[SessionEnd]>;
  readonly #state: Database.Statement<[{ sessionId: string; state: ToolState; said: string | null }]>;
  readonly #inner: Database.Statement<[string], { n: number }>;

  readonly #mendField: Readonly<Record<BadField, Database.Statement<[string, string]>>>;
  readonly #quarantine: Quarantine;

  constructor(sqlite: Database.Database, quarantine: Quarantine) {
    this.#quarantine = quarantine;
    this.#mendField = {
      command: sqlite.prepare("UPDATE sessions SET command = ? WHERE session_id = ?"),
      capabilities: sqlite.prepare("UPDATE sessions SET capabilities = ? WHERE session_id = ?"),
    };
    this.#upsert = sqlite.prepare(
      `INSERT INTO sessions (session_id, tool, label, cwd, command, version, pid, pid_start_time, inside, capabilities,
         tool_state, started_at)
       VALUES (@sessionId, @tool, @label, @cwd, @command, @version, @pid, @pidStartTime, @inside, @capabilities,
         @toolState, @startedAt)
       ON CONFLICT (session_id) DO UPDATE SET version = excluded.version, pid = excluded.pid,
         pid_start_time = excluded.pid_start_time, capabilities = excluded.capabilities,
         closed_at = NULL, ending = NULL, exit_code = NULL, signal = NULL`,
    );
    this.#one = sqlite.prepare(`SELECT ${COLUMNS} FROM sessions WHERE session_id = ?`);
    const after = "(started_at, session_id) > (@at, @after)";
    const page = "ORDER BY started_at, session_id LIMIT @rows";
    this.#page = {
      open: sqlite.prepare(`SELECT ${COLUMNS} FROM sessions WHERE closed_at IS NULL AND ${after} ${page}`),
      all: sqlite.prepare(`SELECT ${COLUMNS} FROM sessions WHERE ${after} ${page}`),
    };
    this.#openCount = sqlite.prepare("SELECT count(*) AS n FROM sessions WHERE closed_at IS NULL");
    this.#open = sqlite.prepare(
      `SELECT ${COLUMNS} FROM sessions WHERE closed_at IS NULL ORDER BY started_at, session_id`,
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
  }

  /** Records a session, or that its worker is back: what it was started with stays as first told. */
  open(row: SessionRow): void {
    const { command, capabilities } = row;
    this.#upsert.run({
      ...row,
      command: JSON.stringify(command),
      capabilities: JSON.stringify(capabilities),
    });
  }

  find(sessionId: string): SessionRow | null {
    const stored = this.#one.get(sessionId);
    return stored === undefined ? null : this.#load(stored);
  }

  listOpen(): SessionRow[] {
    return this.#open.all().map((stored) => this.#load(stored));
  }

  countOpen(): number {
    return this.#openCount.get()?.n ?? 0;
  }

  /** At most `rows` of those that follow `after` (the first ones, where that is null or unknown), oldest first. */
  listAfter(after: string | null, rows: number, which: "open" | "all" = "all"): SessionRow[] {
    const last = after === null ? null : this.find(after);
    const at = last?.startedAt ?? Number.MIN_SAFE_INTEGER;
    return this.#page[which]
      .all({ at, after: last?.sessionId ?? "", rows })
      .map((stored) => this.#load(stored));
  }

  /** False when it was closed before. */
  close(end: SessionEnd): boolean {
    return this.#close.run(end).changes === 1;
  }

  /** `said` null: nothing new is known of its words; they are over when it works again. */
  setToolState(sessionId: string, state: ToolState, said: string | null): boolean {
    return this.#state.run({ sessionId, state, said }).changes === 1;
  }

  /** A session that shows itself on this one's terminal, and asks there what it asks. */
  hasOpenInner(sessionId: string): boolean {
    return (this.#inner.get(sessionId)?.n ?? 0) > 0;
  }

  #load(stored: Stored): SessionRow {
    const command = this.#read(stored, "command") as readonly string[];
    const capabilities = this.#read(stored, "capabilities") as SessionCapabilities;
    return { ...stored, command, capabilities };
  }

  /** A session whose fields cannot be read goes on with what gives it no power; its worker tells the truth when it comes back. */
  #read(stored: Stored, field: BadField): object {
    const value = readObject(stored[field]);
    if (value !== null && Array.isArray(value) === (field === "command")) return value;
    const { sessionId } = stored;
    const bad = { table: "sessions", rowId: sessionId, field, content: stored[field], sessionId } as const;
    this.#quarantine.keep(bad, () => this.#mendField[field].run(JSON.stringify(HARMLESS[field]), sessionId));
    return HARMLESS[field];
  }
}

type BadField = "command" | "capabilities";

const HARMLESS: Readonly<Record<BadField, object>> = {
  command: [],
  capabilities: {
    answerRoutes: [],
    freeText: false,
    chatTurns: false,
    screenView: false,
    answerWithinMs: 0,
  } satisfies SessionCapabilities,
};
