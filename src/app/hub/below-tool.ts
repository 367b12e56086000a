/** A hub that a supervised tool has started does not serve, also where the tool removed its mark before. */
import type { Door, OpenSessionProcess } from "../../hub/sessions/door.js";
import type { SessionId } from "../../model/ids.js";
import { ancestorsOf } from "../../observe/process-facts.js";
import { insideSession } from "../../client/connect/start-hub.js";

/**
 * The worker itself may be our parent, for workers start hubs; what their tools leave behind becomes their child as well, and of
 * such hubs the worker takes none (`listener-check.ts`). Errors: ATB_SUPERVISED.
 */
export function refuseBelowTool(door: Pick<Door, "workers" | "record">): void {
  const sessionId = toolAbove(ancestorsOf(process.pid)?.slice(1) ?? [], door.workers());
  if (sessionId === null) return;
  const details = { call: "hub.start", reason: "supervised", pid: process.pid };
  door.record({ step: "call_refused", sessionId, details });
  throw insideSession();
}

function toolAbove(ancestors: readonly number[], workers: readonly OpenSessionProcess[]): SessionId | null {
  const worker = workers.find(({ pid, underTool }) => !underTool && ancestors.includes(pid));
  return worker?.sessionId ?? null;
}
