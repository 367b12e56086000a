import { asId } from "../../src/model/ids.js";
import type { SessionSnapshot } from "../../src/sdk/adapter.js";

/** A snapshot of a session that works. */
export function sessionSnapshot(over: Partial<SessionSnapshot> = {}): SessionSnapshot {
  return {
    sessionId: asId("22222222-2222-4222-8222-222222222222"),
    tool: "claude",
    pid: 4711,
    state: "running",
    uptimeSeconds: 90,
    promptCount: 0,
    lastOutputAgoSeconds: 1.5,
    ptyAlive: true,
    waitsForInput: false,
    troubles: [],
    ...over,
  };
}
