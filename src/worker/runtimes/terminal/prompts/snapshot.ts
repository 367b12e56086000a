/** Describes the state of a session in the adapter spec's words. Pure. */
import type { ToolState } from "../../../../model/tool-state.js";
import type { SessionSnapshot } from "../../../../sdk/adapter.js";
import type { Terminal } from "../../../process/terminal.js";
import { promptSnapshot } from "../../../prompts/prompt-snapshot.js";
import type { PtyAdapterOptions } from "../pty-adapter-options.js";
import type { PromptRegistry } from "./prompt-registry.js";

export interface SnapshotParts {
  readonly terminal: Pick<Terminal, "alive" | "pid">;
  readonly prompts: Pick<PromptRegistry, "isAsking" | "isAnswering" | "count">;
  readonly upMs: number;
  /** Since the last output. */
  readonly quietMs: number;
  readonly toolState: ToolState | null;
  /** A process of the tool waits for a key or a line. */
  readonly isReading: boolean;
}

const NOTHING_ASKED = { isAsking: false, isAnswering: false, count: 0 };

/** `parts`: null before the tool was started. */
export function createSnapshot(
  { sessionId, adapter }: Pick<PtyAdapterOptions, "sessionId" | "adapter">,
  parts: SnapshotParts | null,
): SessionSnapshot {
  const { terminal = null, prompts = NOTHING_ASKED, upMs = 0, quietMs = 0, toolState = null } = parts ?? {};
  const known = promptSnapshot(prompts, terminal);
  return {
    sessionId,
    tool: adapter.name,
    ...known,
    uptimeSeconds: upMs / 1000,
    lastOutputAgoSeconds: quietMs / 1000,
    waitsForInput: known.waitsForInput || (known.ptyAlive && parts?.isReading === true),
    toolState,
  };
}
