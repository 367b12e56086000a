/** The hub's process: sets up paths and log around the server. */
import { resolvePaths, type Paths } from "../../config/paths.js";
import type { HubService } from "../../hub/serve/hub-service.js";
import { serveHub } from "../../hub/serve/serve-hub.js";
import type { StopReason } from "../../hub/serve/server.js";
import { EXIT } from "../../model/errors.js";
import { systemClock } from "../../observe/clock.js";
import { openLog, type Log } from "../../observe/log.js";
import { redact } from "../../safety/redact.js";
import { getNativeCalls } from "../../observe/system-calls.js";
import { getProgramVersion } from "../../observe/package-root.js";
import { createServingHub } from "./serving-hub.js";
import { refuseStart } from "../../client/connect/refuse-start.js";

export interface RunHubOptions {
  /** Run by a service manager: it never exits because it is idle. */
  readonly service: boolean;
}

/** Opens the ledger and starts the channels, in the elected process. */
export type OpenCore = (paths: Paths, log: Log) => Promise<HubService>;

/**
 * Serves until stopped, or returns at once if another hub is running. Errors: ATB_SOCKET_UNSAFE, ATB_HUB_UNREACHABLE,
 * ATB_SUPERVISED, those of `openCore`.
 */
export async function runHub(
  { service }: RunHubOptions,
  openCore: OpenCore,
): Promise<StopReason | "another_serves"> {
  const paths = resolvePaths();
  await refuseStart(paths);
  // It holds tokens, keys and answers: other programs of the same user must not read or change its memory.
  getNativeCalls()?.closeMemory();
  return serveHub({
    paths,
    clock: systemClock,
    self: { version: getProgramVersion(), service },
    openLog: async () => {
      const log = await openLog(paths.hubLog, redact);
      exitOnBug(log);
      return log;
    },
    serving: createServingHub(paths),
    openCore: (log) => openCore(paths, log),
  });
}

/** A bug ends the process: all state is on disk, and a worker starts a new hub. A half-working hub would be worse than none. */
function exitOnBug(log: Log): void {
  const die = (error: unknown): never => {
    log("error", "the hub exits because of a bug", { error });
    process.exit(EXIT.error);
  };
  process.on("uncaughtException", die);
  process.on("unhandledRejection", die);
}
