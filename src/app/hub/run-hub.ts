/** The hub's process: paths and log around the server, whatever core is behind it. */
import { resolvePaths, type Paths } from "../../config/paths.js";
import type { HubService } from "../../hub/serve/core.js";
import { serveHub } from "../../hub/serve/serve-hub.js";
import type { StopReason } from "../../hub/serve/server.js";
import { EXIT } from "../../model/errors.js";
import { systemClock } from "../../observe/clock.js";
import { openLog, type Log } from "../../observe/log.js";
import { redact } from "../../safety/redact.js";
import { systemCalls } from "../../observe/system-calls.js";
import { programVersion } from "../../observe/program-version.js";
import { servingHub } from "./serving-hub.js";
import { refuseStart } from "../../client/connect/refuse-start.js";

export interface RunHubOptions {
  /** A service manager keeps it: it never leaves because it is idle. */
  readonly service: boolean;
}

/** Opens the ledger and starts the channels, in the elected process. */
export type OpenCore = (paths: Paths, log: Log) => Promise<HubService>;

/**
 * Serves until stopped, or returns at once where another hub serves. Errors: ATB_SOCKET_UNSAFE, ATB_HUB_UNREACHABLE, ATB_SUPERVISED,
 * those of `openCore`.
 */
export async function runHub(
  { service }: RunHubOptions,
  openCore: OpenCore,
): Promise<StopReason | "another_serves"> {
  const paths = resolvePaths();
  await refuseStart(paths);
  // It holds tokens, keys and everybody's answers: no program of the same user is to read or change them.
  systemCalls()?.closeMemory();
  return serveHub({
    paths,
    clock: systemClock,
    self: { version: programVersion(), service },
    openLog: async () => {
      const log = await openLog(paths.hubLog, redact);
      dieLoudly(log);
      return log;
    },
    serving: servingHub(paths),
    openCore: (log) => openCore(paths, log),
  });
}

/** A bug ends the process: all state is on disk, and a worker starts the next hub. Half a hub would be worse than none. */
function dieLoudly(log: Log): void {
  const die = (error: unknown): never => {
    log("error", "the hub ends because of a bug", { error });
    process.exit(EXIT.error);
  };
  process.on("uncaughtException", die);
  process.on("unhandledRejection", die);
}
