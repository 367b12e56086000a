/** The state of a session in the adapter spec's words. Pure. */
import type { SessionId } from "../../../../model/ids.js";
import type { ToolState } from "../../../../model/tool-state.js";
import type { SessionSnapshot } from "../../../../sdk/adapter.js";
import type { Terminal } from "../../../process/terminal.js";
import type { PromptRegistry } from "./prompt-registry.js";

export interface SnapshotParts {
  readonly sessionId: SessionId;
  readonly tool: string;
  /** Null until the tool was started. */
  readonly terminal: Pick<Terminal, "alive" | "pid"> | null;
  readonly prompts: Pick<PromptRegistry, "isAsking" | "answering" | "count">;
  readonly upMs: number;
  /** Since the last output. */
  readonly quietMs: number;
  readonly toolState: ToolState | null;
  /** A process of the tool waits for a key or a line. */
  readonly isReading: boolean;
}

export function snapshotOf(parts: SnapshotParts): SessionSnapshot {
  const { sessionId, tool, terminal, toolState } = parts;
  const { isAsking, answering, count } = parts.prompts;
  const alive = terminal?.alive ?? false;
  return {
    sessionId,
    tool,
    pid: terminal?.pid ?? null,
    state: !alive ? "done" : answering ? "injecting" : isAsking ? "awaiting_response" : "running",
    uptimeSeconds: parts.upMs / 1000,
    promptCount: count,
    lastOutputAgoSeconds: parts.quietMs / 1000,
    ptyAlive: alive,
    waitsForInput: alive && (isAsking || parts.isReading),
    toolState,
  };
}
