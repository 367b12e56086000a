/** Table `sessions`: one row per supervised run, kept after its end. */
import type { SessionId } from "../../../model/ids.js";
import type { ToolState } from "../../../model/tool-state.js";
import type { SessionCapabilities } from "../../../sdk/adapter.js";
import { checkSignature, nameParameter, writeSignature } from "../sign-rows.js";
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
  /** The hub did not store the row as it stands: no rule may read it. */
  readonly isUnknown?: boolean;
}

type SessionColumns = Omit<SessionRow, "command" | "capabilities"> & {
  command: string;
  capabilities: string;
};

type StoredSession = SessionColumns & { isSigned: number };

const UNKNOWN_SESSION = {
  tool: "unknown",
  label: null,
  cwd: "",
  command: [],
  capabilities: { chatTurns: false, screenView: false },
  isUnknown: true,
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
  exit_code AS exitCode, signal, ${checkSignature("sessions")} AS isSigned`;

const SELECT = `SELECT ${COLUMNS} FROM sessions`;
/** A worker that is back names no outer session: what was recorded first stays, unless another program changed the row. */
const INSIDE_AFTER = `iif(${checkSignature("sessions")}, sessions.inside, excluded.inside)`;
const IN_ORDER = "ORDER BY started_at, session_id";

type Page = [{ at: number; after: string; rows: number }];

export class Sessions extends Table<StoredSession, SessionRow> {
  readonly find = this.row<[sessionId: string]>(`${SELECT} WHERE session_id = ?1`);
  readonly listOpen = this.rows(`${SELECT} WHERE closed_at IS NULL ${IN_ORDER}`);
  readonly countOpen = this.number("SELECT count(*) FROM sessions WHERE closed_at IS NULL");
  /** Whether an open session draws on this one's terminal and relays its own prompts from there. */
  readonly hasOpenInner = this.exists<[sessionId: string]>(
    `SELECT 1 FROM sessions
       WHERE inside = ?1 AND closed_at IS NULL AND capabilities ->> 'screenView' = 1 AND ${checkSignature("sessions")}`,
  );
  readonly #page = {
    open: this.rows<Page>(
      `${SELECT} WHERE closed_at IS NULL AND (started_at, session_id) > (@at, @after) ${IN_ORDER} LIMIT @rows`,
    ),
    all: this.rows<Page>(`${SELECT} WHERE (started_at, session_id) > (@at, @after) ${IN_ORDER} LIMIT @rows`),
  };
  readonly #upsert = this.change<[SessionColumns]>(
    `INSERT INTO sessions (session_id, tool, label, cwd, command, version, pid, pid_start_time, inside, capabilities,
         tool_state, started_at, mac)
       VALUES (@sessionId, @tool, @label, @cwd, @command, @version, @pid, @pidStartTime, @inside, @capabilities,
         @toolState, @startedAt, ${writeSignature("sessions", nameParameter)})
       ON CONFLICT (session_id) DO UPDATE SET tool = excluded.tool, label = excluded.label, cwd = excluded.cwd,
         command = excluded.command, version = excluded.version, pid = excluded.pid,
         pid_start_time = excluded.pid_start_time, capabilities = excluded.capabilities,
         closed_at = NULL, ending = NULL, exit_code = NULL, signal = NULL,
         inside = ${INSIDE_AFTER},
         mac = ${writeSignature("sessions", (column) => (column === "inside" ? INSIDE_AFTER : `excluded.${column}`))}`,
  );
  readonly #close = this.change<[SessionEnd]>(
    `UPDATE sessions SET closed_at = @at, ending = @ending, exit_code = @exitCode, signal = @signal,
         tool_state = 'ended' WHERE session_id = @sessionId AND closed_at IS NULL`,
  );
  readonly #state = this.change<[sessionId: string, state: ToolState, said: string | null]>(
    `UPDATE sessions SET tool_state = ?2, said = CASE ?2 WHEN 'working' THEN NULL ELSE coalesce(?3, said) END
       WHERE session_id = ?1 AND closed_at IS NULL`,
  );

  /** Records a session, or that its worker is back: the start time and outer session stay as first recorded. */
  open(row: SessionRow): void {
    const [command, capabilities] = [JSON.stringify(row.command), JSON.stringify(row.capabilities)];
    this.#upsert({ ...row, command, capabilities });
  }

  listAfter(after: string | null, rows: number, which: "open" | "all" = "all"): SessionRow[] {
    const last = after === null ? null : this.find(after);
    const at = last?.startedAt ?? Number.MIN_SAFE_INTEGER;
    return this.#page[which]({ at, after: last?.sessionId ?? "", rows });
  }

  /** False if it was already closed. */
  close(end: SessionEnd): boolean {
    return this.#close(end) === 1;
  }

  /** `said` null: nothing new is known. The message is deleted when the tool works again. */
  setToolState(sessionId: string, state: ToolState, lastMessage: string | null): boolean {
    return this.#state(sessionId, state, lastMessage) === 1;
  }

  /** Of a row that the hub did not store as it stands, nothing is known by which a rule could answer. */
  protected override decode({ isSigned, ...stored }: StoredSession): SessionRow {
    const command = JSON.parse(stored.command) as readonly string[];
    const capabilities = JSON.parse(stored.capabilities) as SessionCapabilities;
    return { ...stored, command, capabilities, ...(isSigned !== 1 && UNKNOWN_SESSION) };
  }

  protected override locate({ sessionId }: StoredSession) {
    return ["sessions", sessionId] as const;
  }
}
