import type { ToolState } from "../../../model/tool-state.js";
import type { SessionSnapshot, SessionTrouble } from "../../../sdk/adapter.js";
import type { Terminal } from "../../process/terminal.js";
import { createPromptSnapshot } from "../../prompts/prompt-snapshot.js";
import type { ToolSettings } from "./open-tool.js";
import type { JoinedPrompts } from "./joined/joined-prompts.js";

/** A flood pauses the tool for milliseconds; a terminal that takes nothing for this long was stopped by somebody. */
const OUTPUT_HELD_MS = 5_000;
/** The slowest tools draw their first row within a few seconds; signing in and updating draw rows, too. */
export const NOTHING_SHOWN_MS = 60_000;

export interface SnapshotParts {
  readonly terminal: Pick<Terminal, "alive" | "pid" | "checkHealth">;
  readonly prompts: Pick<JoinedPrompts, "isAsking" | "isAnswering" | "count">;
  readonly uptimeMs: number;
  readonly sinceOutputMs: number;
  readonly hasOutput: boolean;
  readonly heldMs: number;
  readonly toolState: ToolState | null;
  /** A process of the tool waits for a key or a line. */
  readonly isReading: boolean;
}

const NO_PROMPTS = { isAsking: false, isAnswering: false, count: 0 };

export function createSnapshot(
  { sessionId, adapter }: Pick<ToolSettings, "sessionId" | "adapter">,
  parts: SnapshotParts | null,
): SessionSnapshot {
  const known = createPromptSnapshot(parts?.prompts ?? NO_PROMPTS, parts?.terminal ?? null);
  return {
    sessionId,
    tool: adapter.name,
    ...known,
    uptimeSeconds: (parts?.uptimeMs ?? 0) / 1000,
    lastOutputAgoSeconds: (parts?.sinceOutputMs ?? 0) / 1000,
    waitsForInput: known.waitsForInput || (known.ptyAlive && parts?.isReading === true),
    troubles: [...known.troubles, ...(parts && known.ptyAlive ? findTerminalTroubles(parts) : [])],
    toolState: parts?.toolState ?? null,
  };
}

/** A program that reads needs nothing to show: `cat` waits for a line. */
function findTerminalTroubles({
  hasOutput,
  uptimeMs,
  heldMs,
  isReading,
}: SnapshotParts): readonly SessionTrouble[] {
  const troubles: SessionTrouble[] = [];
  if (heldMs >= OUTPUT_HELD_MS) troubles.push("output_held");
  if (!hasOutput && !isReading && uptimeMs >= NOTHING_SHOWN_MS) troubles.push("nothing_shown");
  return troubles;
}
