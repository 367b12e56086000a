/** The hub's process from its election to its end (design §3 "Hub"). */
import type { Clock } from "../../model/clock.js";
import type { Paths } from "../../config/paths.js";
import { ensureHubDirectories, hubSocket, writeHubAddress } from "../../config/private-files.js";
import type { Log } from "../../observe/log.js";
import { dial } from "../../wire/dial.js";
import type { HubCore } from "./core.js";
import { watchIdle } from "./idle.js";
import { listenOn } from "./listen.js";
import { takeHubLock, type HubLock } from "./lock.js";
import { HubServer, type StopReason } from "./server.js";

/** A hub that stops has closed its socket but may still end its channels; a newcomer waits this long for its lock. */
const LOCK_PATIENCE_MS = 10_000;
const LOCK_RETRY_MS = 50;
/** Channels get this long to end; everything they owe is in the outbox anyway. */
const CORE_STOP_TIMEOUT_MS = 5_000;
/** A closed terminal ends a hub that was started in it by hand; nothing is lost by it. */
const STOP_SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

export interface ServeOptions {
  readonly paths: Paths;
  readonly clock: Clock;
  /** Called by the elected process only: a loser leaves no trace. */
  readonly openLog: () => Promise<Log>;
  /** Started by a service manager: never leaves because it is idle. */
  readonly service: boolean;
  /** Opens the ledger and starts the channels. Called by the elected process only. */
  readonly openCore: (log: Log) => Promise<HubCore>;
  /** Tells the moment at which clients can connect. */
  readonly onServing?: () => void;
}

/** Serves until it is stopped, or returns at once because another hub does. Errors: what `openCore` throws; ATB_SOCKET_UNSAFE. */
export async function serveHub(options: ServeOptions): Promise<StopReason | "another_serves"> {
  process.umask(0o077);
  ensureHubDirectories(options.paths);
  const lock = await electOne(options);
  if (!lock) return "another_serves";
  try {
    return await serveElected(options);
  } finally {
    lock.release();
  }
}

/** Loses only to a hub that answers. A holder that does not is on its way out (or dead: then its lock is free at once). */
async function electOne({ paths, clock }: ServeOptions): Promise<HubLock | null> {
  const deadline = clock.monotonic() + LOCK_PATIENCE_MS;
  for (;;) {
    const lock = takeHubLock(paths.hubLock);
    if (lock) return lock;
    if (clock.monotonic() >= deadline || (await somebodyServes(paths))) return null;
    await new Promise<void>((resolve) => setTimeout(resolve, LOCK_RETRY_MS));
  }
}

async function somebodyServes(paths: Paths): Promise<boolean> {
  try {
    (await dial(hubSocket(paths))).destroy();
    return true;
  } catch {
    return false;
  }
}

async function serveElected(options: ServeOptions): Promise<StopReason> {
  const log = await options.openLog();
  const core = await options.openCore(log);
  try {
    return await serveUntilStopped(options, core, log);
  } finally {
    await withinLimit(core.stop());
  }
}

async function serveUntilStopped(options: ServeOptions, core: HubCore, log: Log): Promise<StopReason> {
  const { paths, clock, service } = options;
  // A service manager stops on purpose: its workers wait for the next one instead of starting a hub beside it.
  const stop = new StopSignal(service ? "asked" : "signal");
  const server = new HubServer({ core, clock, log, onStopWanted: (reason) => stop.ask(reason) });
  const listener = await listenOn(paths.socket, (socket) => server.accept(socket));
  writeHubAddress(paths);
  log("info", "the hub serves", { socket: paths.socket });
  options.onServing?.();
  const isIdle = (): boolean => !service && server.connectionCount === 0 && core.owesNothing();
  const stopWatching = watchIdle(clock, isIdle, () => stop.ask("idle"));

  const reason = await stop.asked;
  log("info", "the hub stops", { reason });
  stopWatching();
  listener.close();
  await server.close(reason);
  return reason;
}

/** The first reason to stop, from whoever has one. A second signal finds no handler and kills at once. */
class StopSignal {
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

async function withinLimit(ending: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, CORE_STOP_TIMEOUT_MS)));
  await Promise.race([ending, limit]).finally(() => clearTimeout(timer));
}
