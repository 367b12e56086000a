/** Runs the hub's process from its election to its exit. */
import type { Socket } from "node:net";
import { clearHubNotes, writeStopNote } from "../../config/hub-notes.js";
import { ensureHubDirectories } from "../../config/private-files.js";
import type { Log } from "../../observe/log.js";
import { ensureHubSecret } from "../../config/hub-secret.js";
import { openCallerCheck } from "./caller-check.js";
import type { HubService } from "./hub-service.js";
import { electHub, type ElectOptions } from "./elect-hub.js";
import { Entrance } from "./hub-entrance.js";
import { watchIdle } from "./watch-idle.js";
import { maintainEntrance } from "./maintain-entrance.js";
import type { HubLock } from "./lock.js";
import { HubServer, type StopReason } from "./server.js";

/** Channels get this long to stop; unsent messages are in the outbox anyway. */
const CORE_STOP_TIMEOUT_MS = 5_000;
/** The longest ordinary time of an answer in a slow tool. A longer one is found in the ledger by the next hub. */
export const DRAIN_LIMIT_MS = 10_000;
/** Closing the terminal ends a hub that was started there by hand; no data is lost. */
const STOP_SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

export interface ServeOptions extends ElectOptions {
  /** Called by the elected process only: a loser leaves no trace. */
  readonly openLog: () => Promise<Log>;
  readonly openCore: (log: Log) => Promise<HubService>;
  readonly onServing?: () => void;
}

/**
 * Serves until stopped, or returns at once because another hub serves. Errors: what `openCore` throws; ATB_SOCKET_UNSAFE,
 * ATB_FILE_DENIED, ATB_HUB_UNREACHABLE.
 */
export async function serveHub(options: ServeOptions): Promise<StopReason | "another_serves"> {
  process.umask(0o077);
  ensureHubDirectories(options.paths);
  const lock = await electHub(options);
  if (!lock) return "another_serves";
  try {
    return await serveElected(options, lock);
  } finally {
    lock.release();
  }
}

async function serveElected(options: ServeOptions, lock: HubLock): Promise<StopReason> {
  const log = await options.openLog();
  const core = await options.openCore(log);
  try {
    return await serveUntilStopped(options, lock, core, log);
  } finally {
    await withinLimit(core.stop(), CORE_STOP_TIMEOUT_MS, log);
  }
}

async function serveUntilStopped(
  options: ServeOptions,
  lock: HubLock,
  core: HubService,
  log: Log,
): Promise<StopReason> {
  const { paths, clock, self } = options;
  // A service manager stops its hub on purpose: the workers wait for the next one instead of starting a hub themselves.
  const stop = new HubStopRequest(self.service ? "asked" : "signal");
  const secret = ensureHubSecret(paths);
  const server = new HubServer({
    core,
    clock,
    self,
    log,
    secret,
    onStopWanted: (reason) => stop.ask(reason),
  });
  const callerOn = openCallerCheck(core.admission, log);
  const accept = (socket: Socket): void => server.accept(socket, callerOn(socket));
  const entrance = await Entrance.open({ paths, secret, accept });
  clearHubNotes(paths);
  log("info", "the hub serves", { socket: paths.socket, version: self.version });
  options.onServing?.();
  const isIdle = (): boolean => !self.service && server.connectionCount === 0 && core.isIdle();
  const stopIdle = watchIdle(clock, isIdle, () => stop.ask("idle"));
  const stopKeeping = maintainEntrance(clock, {
    holdsLock: () => lock.isInPlace(),
    findDamage: () => entrance.findDamage(),
    settle: (damage) => entrance.settle(damage),
    onMended: (damage) => {
      log("warn", "the hub's socket, address or secret file was changed; it was restored", { damage });
      core.admission.record({ step: "hub_place_mended", sessionId: null, details: { damage } });
    },
    onDisplaced: () => stop.ask("displaced"),
    onTrouble: (error) => log("warn", "clients cannot find the hub's socket", { error }),
  });

  const reason = await stop.asked;
  log("info", "the hub stops", { reason });
  stopIdle();
  stopKeeping();
  if (reason === "outdated") await withinLimit(core.drain(), DRAIN_LIMIT_MS, log);
  if (reason === "asked") writeStopNote(paths, { at: clock.now(), sessions: core.listRunning() });
  // In a replaced directory the socket may belong to the next hub.
  if (reason !== "displaced") entrance.close();
  await server.close(reason);
  return reason;
}

/** Resolves with the first reason to stop. A second signal finds no handler and kills the process. */
class HubStopRequest {
  readonly asked: Promise<StopReason>;
  #resolve: (reason: StopReason) => void = () => undefined;

  constructor(onSignal: StopReason) {
    this.asked = new Promise((resolve) => (this.#resolve = resolve));
    for (const signal of STOP_SIGNALS) process.once(signal, () => this.ask(onSignal));
  }

  ask(reason: StopReason): void {
    this.#resolve(reason);
  }
}

/** Gives up on a shutdown that hangs or fails: everything important is on disk. */
async function withinLimit(ending: Promise<void>, limitMs: number, log: Log): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, limitMs)));
  const quiet = ending.catch((error: unknown) => log("warn", "the hub did not shut down cleanly", { error }));
  await Promise.race([quiet, limit]).finally(() => clearTimeout(timer));
}
