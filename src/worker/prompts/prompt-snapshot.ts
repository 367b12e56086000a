/** A session's state and health, derived from its prompts and the tool's process, for every runtime. Pure. */
import type { OpenPrompt, OpenPrompts } from "./open-prompts.js";
import type { SessionSnapshot, SessionTrouble, ToolHealth } from "../../sdk/adapter.js";

export interface SnapshotTool {
  readonly pid: number;
  readonly alive: boolean;
  readonly checkHealth?: () => ToolHealth;
}

/** A busy tool reads its input late; a longer wait is reported as a trouble. */
const INPUT_WAITS_MS = 10_000;

export function createPromptSnapshot(
  { isAnswering, isAsking, count }: Pick<OpenPrompts<OpenPrompt>, "isAnswering" | "isAsking" | "count">,
  tool: SnapshotTool | null,
): Pick<SessionSnapshot, "pid" | "state" | "promptCount" | "ptyAlive" | "waitsForInput" | "troubles"> {
  const alive = tool?.alive ?? false;
  return {
    pid: tool?.pid ?? null,
    state: !alive ? "done" : isAnswering ? "injecting" : isAsking ? "awaiting_response" : "running",
    promptCount: count,
    ptyAlive: alive,
    waitsForInput: alive && isAsking,
    troubles: findTroubles(tool),
  };
}

function findTroubles(tool: SnapshotTool | null): SessionTrouble[] {
  if (tool?.alive !== true) return ["not_running"];
  const health = tool.checkHealth?.();
  if (health === undefined) return [];
  const troubles: SessionTrouble[] = [];
  if (!health.isOpen) troubles.push("closed");
  if (!health.isRead) troubles.push("not_read");
  if (health.inputWaitsMs >= INPUT_WAITS_MS) troubles.push("input_waits");
  return troubles;
}
