/** What commands ask of a session's console. */
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

type Acted = ResultOf<HubCalls, "console.act">;
export type ConsoleAct = Omit<ParamsOf<HubCalls, "console.act">, "sessionId" | "actId">;

/** `named`: a session's id, its beginning, or its label. Errors: ATB_USAGE, ATB_HUB_REFUSED with the reason, ATB_HUB_*, ATB_WIRE_*. */
export function runInConsole(
  named: string,
  run: Pick<ParamsOf<HubCalls, "console.run">, "command" | "timeoutMs" | "directory" | "raw">,
): Promise<ConsoleResult> {
  const commandId = systemRandom.uuid();
  return typeInConsole(named, (hub, sessionId) => hub.call("console.run", { sessionId, commandId, ...run }));
}

/** Errors: as `runInConsole`. */
export function actOnConsole(named: string, act: ConsoleAct): Promise<Acted> {
  const actId = systemRandom.uuid();
  return typeInConsole(named, (hub, sessionId) => hub.call("console.act", { sessionId, actId, ...act }));
}

/** Asks again where the hub is lost: the session types the same command once. */
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

/** Options of `send` by the field that asks for them. */
const OPTIONS: Readonly<Record<string, string>> = { raw: "--raw", directory: "--cd" };

/** What to say of an error that a session of an older version answers to a field which it does not know; null: it is another error. */
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
 * A session comes back to the next hub within a second, and one whose terminal was closed ends within four. On a busy machine either
 * takes up to this time.
 */
const RETURN_LIMIT_MS = 15_000;
const RETURN_POLL_MS = 50;

/** Waits until the session is connected again. */
async function awaitSession(hub: HubClient, named: string): Promise<string> {
  for (const deadline = performance.now() + RETURN_LIMIT_MS; ;) {
    const { sessionId, connected } = chooseSession(await fetchSessions(hub, false), named);
    if (connected || performance.now() > deadline) return sessionId;
    await pause(RETURN_POLL_MS);
  }
}

/** What refuses the second time does not know whether the first time was carried out. */
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

/** Resolves with why it is as before, or null. Errors: as `runInConsole`. */
export function setConsole(
  named: string,
  opening: { readonly open: boolean; readonly agents: boolean },
): Promise<string | null> {
  return queryHub(resolvePaths(), async (hub) => {
    const sessionId = await findSession(hub, named);
    return (await hub.call("console.set", { sessionId, ...opening })).problem;
  });
}
