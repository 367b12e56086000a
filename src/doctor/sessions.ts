/** Judges the health of running sessions, as their own workers report it. Pure. */
import { describeTrouble, type ObservedSession } from "../client/seen-sessions.js";
import type { SessionTrouble } from "../sdk/adapter.js";
import { failCheck, passCheck, warnCheck, type CheckFinding } from "./check.js";

/** Somebody may have wished these: a terminal that was stopped, a tool that is busy. */
const PASSING: ReadonlySet<string> = new Set<SessionTrouble>([
  "output_held",
  "input_waits",
  "nothing_shown",
  "not_running",
]);

const OUTGROWN = "its AtlasBridge is too old for the hub, so its prompts are not relayed";
const ADVICE = "Look at its terminal; `atlasbridge sessions` with its name shows more.";

/** Reports each session that is not healthy, and one line for the others. */
export function checkSessions(sessions: readonly ObservedSession[]): CheckFinding[] {
  if (sessions.length === 0) return [];
  const findings = sessions.flatMap(checkSession);
  // A worker of an older version does not check, so its session is not counted.
  const healthy = sessions.filter(({ snapshot }) => snapshot?.troubles?.length === 0);
  if (healthy.length === 0) return findings;
  const asked = healthy.reduce((sum, { snapshot }) => sum + (snapshot?.promptCount ?? 0), 0);
  const found = `${healthy.length} healthy: tools run, take input, and their output is read; ${asked} prompts so far`;
  return [passCheck("sessions", found), ...findings];
}

function checkSession({
  sessionId,
  tool,
  state,
  connected,
  stopped,
  snapshot,
}: ObservedSession): CheckFinding[] {
  const name = `session:${sessionId.slice(0, 8)}` as const;
  if (stopped)
    return [warnCheck(name, `${tool}: it is stopped and takes no answer`, "Continue it with `fg`.")];
  if (state === "not_relayed")
    return [warnCheck(name, `${tool}: ${OUTGROWN}`, "Look at its terminal, and restart it.")];
  if (!connected)
    return [warnCheck(name, `${tool}: it is not connected to the hub`, "It connects again by itself.")];
  if (snapshot === null) return [failCheck(name, `${tool}: it does not respond`, ADVICE)];
  const { troubles = [] } = snapshot;
  if (troubles.length === 0) return [];
  const found = `${tool}: ${troubles.map(describeTrouble).join("; ")}`;
  const check = troubles.every((trouble) => PASSING.has(trouble)) ? warnCheck : failCheck;
  return [check(name, found, ADVICE)];
}
