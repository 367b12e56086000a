/** Refuses to run a hub that a supervised tool has started, even if the tool removed the session mark. */
import type { SessionAdmission, OpenSessionProcess } from "../../hub/sessions/session-admission.js";
import type { SessionId } from "../../model/ids.js";
import { listAncestors } from "../../observe/process-facts.js";
import { createInsideError } from "../../client/connect/start-hub.js";

/**
 * The parent may be the worker itself, because workers start hubs. Processes orphaned by a tool become the worker's children as
 * well, but the worker accepts no hub among those (`listener-check.ts`). Errors: ATB_SUPERVISED.
 */
export function refuseBelowTool(admission: Pick<SessionAdmission, "listWorkers" | "record">): void {
  const sessionId = findToolAbove(listAncestors(process.pid)?.slice(1) ?? [], admission.listWorkers());
  if (sessionId === null) return;
  const details = { call: "hub.start", reason: "supervised", pid: process.pid };
  admission.record({ step: "call_refused", sessionId, details });
  throw createInsideError();
}

function findToolAbove(
  ancestors: readonly number[],
  workers: readonly OpenSessionProcess[],
): SessionId | null {
  const worker = workers.find(({ pid, underTool }) => !underTool && ancestors.includes(pid));
  return worker?.sessionId ?? null;
}
