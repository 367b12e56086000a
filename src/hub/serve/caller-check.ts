/** Identifies the process behind a connection from kernel data, because callers cannot be trusted to identify themselves. */
import type { Socket } from "node:net";
import type { SessionId } from "../../model/ids.js";
import type { Log } from "../../observe/log.js";
import { canFindPeers, findPeer } from "../../observe/peer-process.js";
import { readDescentMark, readProcessFacts } from "../../observe/process-facts.js";
import { readProcessStartTime } from "../../observe/process-life.js";
import type { AdmissionPort } from "./hub-service.js";
import { isSupervised, findSupervisor, type Worker } from "./supervision.js";

/** The process behind a connection. Facts that depend on open sessions are computed on each call, because sessions come and go. */
export interface CallerProcess {
  readonly pid: number | null;
  /** Whether it is still this process and not another with the same pid. True if the system does not provide it. */
  is(pid: number, startTime: string | null): boolean;
  /** Whether it is part of a supervised tool or cannot be identified. False if the system provides no process data. */
  isSupervised(): boolean;
  /** Whether it descends from a worker that has opened a session here, even if that has ended, or is one. */
  isLeftBehind(): boolean;
  /** What says of which workers it descends: see `readDescentMark`. Infinity: of none. */
  descentMark(): number;
  /** The session whose tool started it; null if none did. */
  supervisor(): SessionId | null;
}

type CallerLedger = Pick<AdmissionPort, "listWorkers" | "highestMark">;

export type FindCaller = (socket: Socket) => CallerProcess;

/** Only Linux provides enough data: see docs/explanation/threat-model.md. */
const UNKNOWN: CallerProcess = {
  pid: null,
  is: () => true,
  isSupervised: () => false,
  isLeftBehind: () => false,
  descentMark: () => Infinity,
  supervisor: () => null,
};

export function openCallerCheck(ledger: CallerLedger, log: Log): FindCaller {
  if (process.platform !== "linux") return () => UNKNOWN;
  if (!canFindPeers()) {
    log("error", "no answers are accepted over the socket: the calling processes cannot be identified");
    return () => ({ ...UNKNOWN, isSupervised: () => true });
  }
  return (socket) => identifyCaller(socket, ledger);
}

function identifyCaller(socket: Socket, ledger: CallerLedger): CallerProcess {
  const workers = (): readonly Worker[] =>
    ledger
      .listWorkers()
      .filter((worker) => isStillRunning(worker) && !isUnderKnownTool(worker, ledger.highestMark));
  const peer = findPeer(socket);
  // A process that passed its connection on and exited cannot be inspected any more.
  const isThere = (): boolean => peer !== null && readProcessStartTime(peer.pid) === peer.startTime;
  return {
    pid: peer?.pid ?? null,
    is: (pid, startTime) => peer?.pid === pid && peer.startTime === startTime && isThere(),
    isSupervised: () => peer === null || !isThere() || isSupervised(peer.pid, workers(), readProcessFacts),
    isLeftBehind: () => peer !== null && readDescentMark(peer.pid) <= ledger.highestMark,
    descentMark: () => (peer === null ? Infinity : readDescentMark(peer.pid)),
    supervisor: () =>
      peer && findSupervisor(peer.pid, ledger.listWorkers().filter(isAlive), readProcessFacts),
  };
}

/** A tool that started its own worker cannot be located once that has exited: the worker stays listed, and all callers are refused. */
function isStillRunning(worker: Worker): boolean {
  return worker.underTool || isAlive(worker);
}

function isAlive({ pid, startTime }: Worker): boolean {
  return startTime === null || readProcessStartTime(pid) === startTime;
}

/**
 * Whether the tool that started this worker descends from another worker: then that descent identifies all that the tool starts,
 * and no other process is refused because of it. Once this worker has exited, its descent is unknown.
 */
function isUnderKnownTool({ pid, startTime, underTool }: Worker, highestMark: number): boolean {
  return underTool && readDescentMark(pid) <= highestMark && readProcessStartTime(pid) === startTime;
}
