/** Asks an agent for its earlier sessions of a folder, and ends it again. */
import type { Clock } from "../../../model/clock.js";
import { AtlasBridgeError } from "../../../model/errors.js";
import type { SessionId } from "../../../model/ids.js";
import { makeVisible } from "../../../safety/display.js";
import { createChildEnvironment, type Environment } from "../../process/child-environment.js";
import { openPiped } from "../../process/piped-process.js";
import { awaitAnswer } from "../../runtimes/protocol/greeting.js";
import { AgentConnection } from "./agent-connection.js";
import { describeError } from "./describe-error.js";
import { listEarlierSessions, type EarlierSession } from "./earlier-sessions.js";

/** From asking the agent to end to ending it. */
const TERMINATE_GRACE_MS = 1000;

export interface ListSessionsOptions {
  readonly clock: Clock;
  readonly sessionId: SessionId;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly environment: Environment;
  readonly cwd: string;
  /** Of this program, told to the agent. */
  readonly version: string;
  /** The agent is ended at once. */
  readonly halt: AbortSignal;
}

/** Latest first, where the agent tells when. Errors: ATB_TOOL_NOT_FOUND, ATB_TOOL_START_FAILED with the agent's own words. */
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

/** One session as a line: what names it, when it was used last, what it was about. */
export function formatSession({ sessionId, updatedAt, title }: EarlierSession): string {
  const cells = [sessionId, updatedAt ?? "", title ?? ""].map((cell) =>
    makeVisible(cell).replaceAll(/\s+/g, " "),
  );
  return `${cells.join("\t").trimEnd()}\n`;
}
