import { setTimeout as pause } from "node:timers/promises";
import { resolvePaths } from "../config/paths.js";
import { AtlasBridgeError } from "../model/errors.js";
import { systemRandom } from "../observe/random.js";
import type { ConsoleResult } from "../wire/calls/console-calls.js";
import type { HubCalls, ParamsOf, ResultOf } from "../wire/messages.js";
import type { ListedSession } from "../wire/listings.js";
import { chooseSession } from "./choose-session.js";
import { fetchSessions, queryHub } from "./client.js";
import type { HubClient } from "./connect/meet-hub.js";

type ActResult = ResultOf<HubCalls, "console.act">;
export type ConsoleAct = Omit<ParamsOf<HubCalls, "console.act">, "sessionId" | "actId">;

/**
 * `named`: a session's id, the beginning of it, or its label. Errors: ATB_USAGE, ATB_HUB_REFUSED with the reason, ATB_HUB_*, ATB_WIRE_*.
 */
export function runInConsole(
  named: string,
  run: Pick<ParamsOf<HubCalls, "console.run">, "command" | "timeoutMs" | "directory" | "raw">,
): Promise<ConsoleResult> {
  const commandId = systemRandom.uuid();
  return typeInConsole(named, (hub, sessionId) => hub.call("console.run", { sessionId, commandId, ...run }));
}

/** Errors: as `runInConsole`. */
export function actOnConsole(named: string, act: ConsoleAct): Promise<ActResult> {
  const actId = systemRandom.uuid();
  return typeInConsole(named, (hub, sessionId) => hub.call("console.act", { sessionId, actId, ...act }));
}

/** Repeats the call if the hub is lost: the session types the same command only once. */
function typeInConsole<T>(named: string, ask: (hub: HubClient, sessionId: string) => Promise<T>): Promise<T> {
  let wasAsked = false;
  return queryHub(resolvePaths(), async (hub) => {
    const wasTyped = wasAsked;
    try {
      const sessionId = wasTyped ? await awaitSession(hub, named) : await findSession(hub, named);
      wasAsked = true;
      return await ask(hub, sessionId);
    } catch (error) {
      const lack = findLack(error);
      if (lack !== null) throw lack;
      throw wasTyped ? await describeDoubt(hub, named, error) : error;
    }
  });
}

/** Options of `send` by their field in the call. */
const OPTIONS: Readonly<Record<string, string>> = { raw: "--raw", directory: "--cd" };

/** The error for a session of an older version, which does not know a field of the call; null for any other error. */
export function findLack(error: unknown): AtlasBridgeError | null {
  if (!(error instanceof AtlasBridgeError) || error.code !== "ATB_WIRE_INVALID") return null;
  const [, field] = /: params\.(\w{1,40}): unknown field$/.exec(error.message) ?? [];
  if (field === undefined) return null;
  const what = OPTIONS[field] ?? `"${field}"`;
  const message = `nothing was typed: this session was started by an older AtlasBridge, which has no ${what}`;
  return new AtlasBridgeError("ATB_HUB_REFUSED", message, { hint: "Start it again.", cause: error });
}

async function findSession(hub: HubClient, named: string): Promise<string> {
  return chooseSession(await fetchSessions(hub, false), named).sessionId;
}

/**
 * A session connects to the next hub within a second, and one whose terminal was closed ends within four; on a busy machine it takes
 * longer.
 */
const RETURN_LIMIT_MS = 15_000;
const RETURN_POLL_MS = 50;

async function awaitSession(hub: HubClient, named: string): Promise<string> {
  for (const deadline = performance.now() + RETURN_LIMIT_MS; ;) {
    const { sessionId, connected } = chooseSession(await fetchSessions(hub, false), named);
    if (connected || performance.now() > deadline) return sessionId;
    await pause(RETURN_POLL_MS);
  }
}

/** A repeated call that is refused: it is unknown whether the first call was carried out. */
async function describeDoubt(hub: HubClient, named: string, error: unknown): Promise<unknown> {
  if (!(error instanceof AtlasBridgeError) || error.code === "ATB_WIRE_LOST") return error;
  if (error.code === "ATB_USAGE" && (await hasEnded(hub, named)))
    return new AtlasBridgeError("ATB_HUB_REFUSED", "the session ended meanwhile, before the end was seen", {
      hint: "What was typed until then may have had effects: look at what the command was to do.",
      cause: error,
    });
  return new AtlasBridgeError(
    error.code,
    "the hub was lost meanwhile, and it is not known whether it was typed",
    {
      hint: "See what the session shows: `atlasbridge send SESSION --screen`.",
      cause: error,
    },
  );
}

async function hasEnded(hub: HubClient, named: string): Promise<boolean> {
  const isNamed = ({ sessionId, label }: ListedSession): boolean => {
    return label === named || sessionId.startsWith(named);
  };
  return (await fetchSessions(hub, true)).some(isNamed) && !(await fetchSessions(hub, false)).some(isNamed);
}

/** Resolves with null, or with the reason why nothing changed. Errors: as `runInConsole`. */
export function setConsole(
  named: string,
  opening: { readonly open: boolean; readonly agents: boolean },
): Promise<string | null> {
  return queryHub(resolvePaths(), async (hub) => {
    const sessionId = await findSession(hub, named);
    return (await hub.call("console.set", { sessionId, ...opening })).problem;
  });
}
