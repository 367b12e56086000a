/** Checks the running hub and its version. Starts none. */
import { lstatSync } from "node:fs";
import { SOCKET_PATH_BYTES_MAX, type Paths } from "../config/paths.js";
import { listHubSockets } from "../config/private-files.js";
import type { Clock } from "../model/clock.js";
import { AtlasBridgeError } from "../model/errors.js";
import { LOCAL_CHANNEL } from "../model/ids.js";
import { dial } from "../wire/dial.js";
import type { HubStatus } from "../wire/listings.js";
import { HUB_CALLS, type HubCalls } from "../wire/messages.js";
import { Peer } from "../wire/peer.js";
import { proveHub } from "../client/connect/approach.js";
import { createIsolationError, checkCompatibility } from "../client/connect/meet-hub.js";
import { observeSessions, type ObservedSession, describeTrouble } from "../client/seen-sessions.js";
import { failCheck, reportError, passCheck, warnCheck, type CheckFinding } from "./check.js";
import type { SessionTrouble } from "../sdk/adapter.js";

/** A hub answers in milliseconds, or in a second while its disk is busy. */
const ANSWER_LIMIT_MS = 5000;

export type HubFacts =
  | { readonly kind: "none"; readonly socket: string }
  /** The socket of a hub that is gone. */
  | { readonly kind: "left"; readonly socket: string }
  | { readonly kind: "closed"; readonly socket: string; readonly code: string }
  | { readonly kind: "silent"; readonly socket: string }
  /** The listener does not speak our protocol. */
  | { readonly kind: "foreign"; readonly socket: string; readonly problem: string }
  | { readonly kind: "unsafe"; readonly error: AtlasBridgeError }
  | { readonly kind: "other_version"; readonly socket: string; readonly error: AtlasBridgeError }
  | {
      readonly kind: "serves";
      readonly socket: string;
      readonly status: HubStatus;
      readonly sessions: readonly ObservedSession[];
    };

export async function askHub(paths: Paths, clock: Clock): Promise<HubFacts> {
  const isolated = createIsolationError(paths);
  if (isolated) return { kind: "unsafe", error: isolated };
  const socket = chooseSocket(paths);
  if (typeof socket !== "string") return socket;
  let stream;
  try {
    stream = await dial(socket);
  } catch (error) {
    return describeUnconnected(socket, (error as NodeJS.ErrnoException).code ?? "unknown");
  }
  const hub = new Peer<HubCalls>(stream, { remote: HUB_CALLS, clock });
  try {
    const error = checkCompatibility(
      await proveHub(hub, stream, { paths, supervises: false, place: socket }),
    );
    if (error) return { kind: "other_version", socket, error };
    const status = await hub.call("hub.status", {}, { timeoutMs: ANSWER_LIMIT_MS });
    return { kind: "serves", socket, status, sessions: await observeSessions(hub) };
  } catch (error) {
    if (!(error instanceof AtlasBridgeError)) throw error;
    if (error.code === "ATB_WIRE_LOST" && hub.isOpen) return { kind: "silent", socket };
    return { kind: "foreign", socket, problem: error.message };
  } finally {
    hub.close();
  }
}

function chooseSocket(paths: Paths): string | HubFacts {
  try {
    return listHubSockets(paths)[0];
  } catch (error) {
    if (!(error instanceof AtlasBridgeError)) throw error;
    if (error.code === "ATB_HUB_UNREACHABLE") return { kind: "none", socket: paths.socket };
    return { kind: "unsafe", error };
  }
}

function describeUnconnected(socket: string, code: string): HubFacts {
  if (code === "ENOENT") return { kind: "none", socket };
  const isLeft = code === "ECONNREFUSED" && lstatSync(socket, { throwIfNoEntry: false }) !== undefined;
  return isLeft ? { kind: "left", socket } : { kind: "closed", socket, code };
}

export interface HubExpectation {
  readonly version: string;
  readonly paths: Pick<Paths, "socket" | "home" | "hubLog">;
  /** Of the current files; null if they cannot be read. */
  readonly configDigest?: string | null;
}

export function checkHub(facts: HubFacts, expected: HubExpectation): CheckFinding[] {
  if (facts.kind === "unsafe") return [reportError("socket", facts.error)];
  const socket = reportSocket(facts, expected);
  if (facts.kind === "other_version") return [socket, reportError("hub", facts.error)];
  if (facts.kind !== "serves") return [socket];
  return [
    socket,
    reportVersion(facts.status, expected),
    ...reportConfigInUse(facts.status, expected),
    ...reportReach(facts.status),
    ...reportDisk(facts.status),
  ];
}

/** Problems of the files themselves are reported elsewhere. */
function reportConfigInUse(
  { configDigest: used }: HubStatus,
  { configDigest }: HubExpectation,
): CheckFinding[] {
  if (used === undefined || typeof configDigest !== "string" || used === configDigest) return [];
  const found = "the running hub still uses an earlier configuration or earlier rules";
  return [warnCheck("hub", found, "`atlasbridge hub reload` makes it read the files.")];
}

/** Proved by a commit, which fails on a full disk or a damaged database. */
function reportReach({ unreached, channels }: HubStatus): CheckFinding[] {
  if (unreached === null || channels.every(({ id }) => id === LOCAL_CHANNEL)) return [];
  const action = "Mend what it names; the checks of disk, database and channels say more.";
  return [failCheck("hub", `prompts reach nobody away from this machine: ${unreached}`, action)];
}

function reportDisk({ disk: { full, limitBytes } }: HubStatus): CheckFinding[] {
  if (!full) return [];
  const limit = `${Math.round(limitBytes / (1024 * 1024))} MB`;
  const found = `the data directory has reached its limit of ${limit}: new prompts show only in their terminals`;
  return [
    failCheck("disk", found, "Raise `ledger.disk_limit_mb`, or remove old copies and captures from it."),
  ];
}

type Reached = Exclude<HubFacts, { kind: "unsafe" }>;

function reportSocket(facts: Reached, { paths }: HubExpectation): CheckFinding {
  const { socket } = facts;
  switch (facts.kind) {
    case "serves":
    case "other_version":
      return passCheck("socket", `a hub is running on ${socket}${explainLocation(paths)}`);
    case "none":
      return passCheck(
        "socket",
        `no hub is running; the first session starts one on ${socket}${explainLocation(paths)}`,
      );
    case "left":
      return passCheck("socket", `${socket} was left by a hub that is gone; the next one replaces it`);
    case "closed":
      return failCheck(
        "socket",
        `${socket} cannot be connected to (${facts.code})`,
        "Check its owner and mode.",
      );
    case "silent":
      return failCheck("socket", `the hub on ${socket} does not respond`, adviseKill(paths));
    case "foreign":
      return failCheck(
        "socket",
        `what listens on ${socket} is not our hub: ${facts.problem}`,
        adviseKill(paths),
      );
  }
}

/** The log names the process. */
function adviseKill({ hubLog }: HubExpectation["paths"]): string {
  return `End that process (\`kill -9\` and the pid in ${hubLog}): nothing is lost, and sessions start a new hub.`;
}

/** People look for the socket beside the other files. */
function explainLocation({ home, socket }: HubExpectation["paths"]): string {
  if (home === null || socket.startsWith(home)) return "";
  return ` (a path under ${home} would be longer than the ${SOCKET_PATH_BYTES_MAX} bytes that a socket may have)`;
}

function reportVersion(hub: HubStatus, { version }: HubExpectation): CheckFinding {
  if (hub.version !== version) {
    return warnCheck(
      "hub",
      `the hub has version ${hub.version}, this program ${version}`,
      "Run `atlasbridge hub stop`; sessions keep running, and the next one starts a hub of this version.",
    );
  }
  const load = `${hub.sessions} sessions, ${hub.openPrompts} open prompts`;
  return passCheck("hub", `version ${hub.version}, process ${hub.pid}: ${load}`);
}

/** These may be intended: a stopped terminal, a busy tool. */
const PASSING: ReadonlySet<string> = new Set<SessionTrouble>([
  "output_held",
  "input_waits",
  "nothing_shown",
  "not_running",
]);

const OUTGROWN = "its AtlasBridge is too old for the hub, so its prompts are not relayed";
const ADVICE = "Look at its terminal; `atlasbridge sessions` with its name shows more.";

/** One line for each unhealthy session, and one for the others. */
export function checkSessions(sessions: readonly ObservedSession[]): CheckFinding[] {
  if (sessions.length === 0) return [];
  const findings = sessions.flatMap(checkSession);
  // An older worker does not check, so nothing is claimed.
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
