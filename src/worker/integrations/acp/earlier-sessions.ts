/** Earlier sessions of an agent: whether it keeps them, how to resume one, and which there are. */
import { RequestError } from "@agentclientprotocol/sdk";
import { toArray, isObject, toText, type Json } from "../../../model/data/json.js";
import { isSessionName } from "../../runtimes/protocol/session-name.js";
import type { Greeting } from "./agent-connection.js";

/** An agent that always names one more page is not asked for ever. */
const PAGES_MAX = 50;

/** For a person who names a session that does not exist. */
export const WHERE_LISTED = "`atlasbridge run --runtime acp --list-sessions` lists those of this folder.";

export interface EarlierSession {
  readonly sessionId: string;
  readonly title: string | null;
  /** ISO 8601, as the agent tells it. */
  readonly updatedAt: string | null;
  readonly cwd: string;
}

/** What an agent can do with sessions besides beginning one. Version 2 has all of it. */
export interface SessionSupport {
  /** The request that resumes an earlier session; null if the agent has none. */
  readonly resumeMethod: "session/load" | "session/resume" | null;
  readonly list: boolean;
  readonly close: boolean;
}

export function readSessionSupport({ version, capabilities }: Greeting): SessionSupport {
  if (version > 1) return { resumeMethod: "session/resume", list: true, close: true };
  const own = isObject(capabilities["sessionCapabilities"]) ? capabilities["sessionCapabilities"] : {};
  const has = (name: string): boolean => isObject(own[name]);
  // `session/load` repeats the conversation, which a person wants to read, so it is preferred.
  const resumeMethod =
    capabilities["loadSession"] === true ? "session/load" : has("resume") ? "session/resume" : null;
  return { resumeMethod, list: has("list"), close: has("close") };
}

/** The request that resumes it. Errors: `RequestError` if the agent cannot. */
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

/** Those of one folder that people can name. Errors: `RequestError`, also where the agent cannot list them. */
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
