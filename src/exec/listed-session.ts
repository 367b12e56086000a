/** Finds the session that a tool had in the tool's own list, where nothing else names it (`driver_fallback_session_id`). */
import { execFile } from "node:child_process";
import type { SessionId } from "../model/ids.js";
import { findListedSessionId } from "../worker/runtimes/exec/session-id.js";
import { createChildEnvironment, type Environment } from "../worker/process/child-environment.js";
import type { ExecTool } from "./exec-command.js";

/** A tool lists its sessions at once. */
const WITHIN_MS = 15_000;
const OUTPUT_BYTES_MAX = 8 * 1024 * 1024;

/** Null if the session is ambiguous: never a guess among several. */
export function findListedSession(
  { driver, executable }: ExecTool,
  {
    cwd,
    environment,
    sessionId,
  }: { readonly cwd: string; readonly environment: Environment; readonly sessionId: SessionId },
): Promise<string | null> {
  const { sessionList } = driver;
  if (sessionList === null) return Promise.resolve(null);
  const env = createChildEnvironment(environment, sessionId);
  const options = { cwd, env, timeout: WITHIN_MS, maxBuffer: OUTPUT_BYTES_MAX };
  return new Promise((resolve) => {
    execFile(executable, [...sessionList.args], options, (error, output) =>
      resolve(error ? null : findListedSessionId(output, sessionList.id)),
    );
  });
}
