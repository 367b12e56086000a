/** A hub that was started by hand in an environment that makes programs load code from elsewhere runs in one that does not. */
import { spawn } from "node:child_process";
import { resolvePaths } from "../../config/paths.js";
import { EXIT } from "../../model/errors.js";
import { steeringVariable, withoutSteering } from "../../client/connect/hub-environment.js";
import { refuseStart } from "../../client/connect/refuse-start.js";
import { ownCommand } from "../../client/connect/start-hub.js";

/** A service manager and Ctrl-C end the hub by these. */
const PASSED_ON = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/**
 * Node and the dynamic linker have read theirs already: only another process is without them. Null where this environment will do;
 * else the exit code of that process. Errors: ATB_SUPERVISED.
 */
export async function relaunchUnsteered(): Promise<number | null> {
  // The other process would not know it any more.
  await refuseStart(resolvePaths());
  if (steeringVariable(process.env) === null) return null;
  const [file = "", ...args] = ownCommand(process.argv.slice(2));
  const hub = spawn(file, args, { env: withoutSteering(process.env), stdio: "inherit" });
  for (const signal of PASSED_ON) process.on(signal, () => void hub.kill(signal));
  return new Promise((resolve) => {
    hub.once("error", () => resolve(EXIT.environment));
    hub.once("exit", (code) => resolve(code ?? EXIT.error));
  });
}
