/** Restarts a hub that was started by hand with environment variables that load foreign code. */
import { spawn } from "node:child_process";
import { resolvePaths } from "../../config/paths.js";
import { EXIT } from "../../model/errors.js";
import { findUnsafeVariable, removeUnsafeVariables } from "../../client/connect/hub-environment.js";
import { refuseStart } from "../../client/connect/refuse-start.js";
import { buildOwnCommand } from "../../client/connect/start-hub.js";

/** Service managers and Ctrl-C stop the hub with these. */
const PASSED_ON = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/**
 * Node and the dynamic linker have already read these variables, so only a new process is free of them. Null if the environment
 * is fine; otherwise the exit code of the new process. Errors: ATB_SUPERVISED.
 */
export async function relaunchSafely(): Promise<number | null> {
  // Checked here, because the new process would no longer have the mark.
  await refuseStart(resolvePaths());
  if (findUnsafeVariable(process.env) === null) return null;
  const [file = "", ...args] = buildOwnCommand(process.argv.slice(2));
  const hub = spawn(file, args, { env: removeUnsafeVariables(process.env), stdio: "inherit" });
  for (const signal of PASSED_ON) process.on(signal, () => void hub.kill(signal));
  return new Promise((resolve) => {
    hub.once("error", () => resolve(EXIT.environment));
    hub.once("exit", (code) => resolve(code ?? EXIT.error));
  });
}
