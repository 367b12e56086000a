/** What prompts and the process of a tool say of a session's state, for every runtime. Pure. */
import type { SessionSnapshot } from "../../sdk/adapter.js";

export interface AskingState {
  readonly isAnswering: boolean;
  readonly isAsking: boolean;
  /** How many prompts were ever raised. */
  readonly count: number;
}

export function promptSnapshot(
  { isAnswering, isAsking, count }: AskingState,
  tool: { readonly pid: number; readonly alive: boolean } | null,
): Pick<SessionSnapshot, "pid" | "state" | "promptCount" | "ptyAlive" | "waitsForInput"> {
  const alive = tool?.alive ?? false;
  return {
    pid: tool?.pid ?? null,
    state: !alive ? "done" : isAnswering ? "injecting" : isAsking ? "awaiting_response" : "running",
    promptCount: count,
    ptyAlive: alive,
    waitsForInput: alive && isAsking,
  };
}
