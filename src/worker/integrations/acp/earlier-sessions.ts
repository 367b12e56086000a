/** Lists and resumes earlier sessions of an agent. */
import { RequestError } from "@agentclientprotocol/sdk";
import type { Clock } from "../../../model/clock.js";
import { isObject, toArray, toObject, toText, type Json } from "../../../model/data/json.js";
import { AtlasBridgeError } from "../../../model/errors.js";
import type { SessionId } from "../../../model/ids.js";
import { makeVisible } from "../../../safety/display.js";
import { createChildEnvironment, type Environment } from "../../process/child-environment.js";
import { openPiped } from "../../process/piped-process.js";
import { awaitAnswer } from "../../runtimes/protocol/greeting.js";
import { isSessionName } from "../../runtimes/protocol/session-name.js";
import { AgentConnection, describeError, type Greeting } from "./agent-connection.js";

const PAGES_MAX = 50;

export const WHERE_LISTED = "`atlasbridge run --runtime acp --list-sessions` lists those of this folder.";

export interface EarlierSession {
  readonly sessionId: string;
  readonly title: string | null;
  /** ISO 8601. */
  readonly updatedAt: string | null;
  readonly cwd: string;
}

/** Version 2 supports all of it. */
export interface SessionSupport {
  readonly resumeMethod: "session/load" | "session/resume" | null;
  readonly list: boolean;
  readonly close: boolean;
}

export function readSessionSupport({ version, capabilities }: Greeting): SessionSupport {
  if (version > 1) return { resumeMethod: "session/resume", list: true, close: true };
  const own = toObject(capabilities["sessionCapabilities"]);
  const has = (name: string): boolean => isObject(own[name]);
  // `session/load` is preferred: it repeats the conversation for the person.
  const resumeMethod =
    capabilities["loadSession"] === true ? "session/load" : has("resume") ? "session/resume" : null;
  return { resumeMethod, list: has("list"), close: has("close") };
}

/** Errors: `RequestError` if the agent cannot resume. */
export function createResumeRequest(
  greeting: Greeting,
  sessionId: string,
  cwd: string,
): { readonly method: string; readonly params: Json } {
  const { resumeMethod } = readSessionSupport(greeting);
  if (resumeMethod === null) throw new RequestError(-32601, "it cannot resume an earlier session");
  const replay = greeting.version > 1 ? { replayFrom: { type: "start" } } : {};
  return { method: resumeMethod, params: { sessionId, cwd, mcpServers: [], ...replay } };
}

/** Only sessions of this folder. Errors: `RequestError`, also where the agent cannot list them. */
export async function listEarlierSessions(
  greeting: Greeting,
  cwd: string,
  request: (method: string, params: Json) => Promise<Json>,
): Promise<EarlierSession[]> {
  if (!readSessionSupport(greeting).list) throw new RequestError(-32601, "it does not list its sessions");
  const found: EarlierSession[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const answer: Json = await request("session/list", { cwd, ...(cursor !== null && { cursor }) });
    found.push(...toArray(answer["sessions"]).flatMap(readSession));
    cursor = toText(answer["nextCursor"]);
    if (cursor === null) break;
  }
  return found.filter((session) => session.cwd === cwd);
}

function readSession(given: unknown): EarlierSession[] {
  if (!isObject(given)) return [];
  const [sessionId, cwd] = [toText(given["sessionId"]), toText(given["cwd"])];
  if (sessionId === null || cwd === null || !isSessionName(sessionId)) return [];
  return [{ sessionId, cwd, title: toText(given["title"]), updatedAt: toText(given["updatedAt"]) }];
}

const TERMINATE_GRACE_MS = 1000;

export interface ListSessionsOptions {
  readonly clock: Clock;
  readonly sessionId: SessionId;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly environment: Environment;
  readonly cwd: string;
  readonly version: string;
  readonly halt: AbortSignal;
}

/** Starts the agent only to list its sessions of the folder, newest first. Errors: ATB_TOOL_NOT_FOUND, ATB_TOOL_START_FAILED. */
export async function listSessions(options: ListSessionsOptions): Promise<EarlierSession[]> {
  const { command, env, environment, cwd, version, clock, sessionId, halt } = options;
  const whole = createChildEnvironment({ ...environment, ...env }, sessionId);
  const agent = openPiped({ command, env: whole, cwd });
  const stop = (): void => void agent.kill("SIGKILL");
  halt.addEventListener("abort", stop, { once: true });
  let received = 0;
  const connection = new AgentConnection({
    ...agent,
    handlers: {},
    onMessage: () => (received += 1),
    onUpdate: () => undefined,
  });
  const inTime = <T>(request: Promise<T>): Promise<T> => awaitAnswer(request, () => received, clock);
  try {
    const greeting = await inTime(connection.greet({}, { name: "atlasbridge", version }));
    const found = await listEarlierSessions(greeting, cwd, (method, params) =>
      inTime(connection.request(method, params)),
    );
    return found.sort((a, b) => (b.updatedAt ?? "").localeCompare(a.updatedAt ?? ""));
  } catch (cause) {
    throw new AtlasBridgeError(
      "ATB_TOOL_START_FAILED",
      `the agent did not list its sessions: ${describeError(cause)}`,
      {
        cause,
      },
    );
  } finally {
    connection.close();
    agent.kill("SIGTERM");
    const stopTimer = clock.after(TERMINATE_GRACE_MS, () => void agent.kill("SIGKILL"));
    await agent.exited;
    stopTimer();
    halt.removeEventListener("abort", stop);
  }
}

export function formatSession({ sessionId, updatedAt, title }: EarlierSession): string {
  const cells = [sessionId, updatedAt ?? "", title ?? ""].map((cell) =>
    makeVisible(cell).replaceAll(/\s+/g, " "),
  );
  return `${cells.join("\t").trimEnd()}\n`;
}
