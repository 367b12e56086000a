/** Identifies the process behind a connection from kernel data, because callers cannot be trusted to identify themselves. */
import type { Socket } from "node:net";
import type { SessionId } from "../../model/ids.js";
import type { Log } from "../../observe/log.js";
import { canFindPeers, findPeer } from "../../observe/peer-process.js";
import { readProcessFacts } from "../../observe/process-facts.js";
import { readProcessStartTime } from "../../observe/process-life.js";
import { isSupervised, findSupervisor, type Worker } from "./supervision.js";

/** The process behind a connection. Facts that depend on open sessions are computed on each call, because sessions come and go. */
export interface CallerProcess {
  /** Null if the system does not provide it. */
  readonly pid: number | null;
  /** Whether it is still this process and not another with the same pid. True if the system does not provide it. */
  is(pid: number, startTime: string | null): boolean;
  /** Whether it is part of a supervised tool or cannot be identified. False if the system provides no process data. */
  isSupervised(): boolean;
  /** The session whose tool started it; null if none did. */
  supervisor(): SessionId | null;
}

/** Called for each accepted connection. */
export type FindCaller = (socket: Socket) => CallerProcess;

/** Only Linux provides enough data: see docs/explanation/threat-model.md. */
const UNKNOWN: CallerProcess = {
  pid: null,
  is: () => true,
  isSupervised: () => false,
  supervisor: () => null,
};

/** `workers`: the processes of all open sessions. */
export function openCallerCheck(workers: () => readonly Worker[], log: Log): FindCaller {
  if (process.platform !== "linux") return () => UNKNOWN;
  if (!canFindPeers()) {
    log("error", "no answers are accepted over the socket: the calling processes cannot be identified");
    return () => ({ ...UNKNOWN, isSupervised: () => true });
  }
  return (socket) => identifyCaller(socket, () => workers().filter(isStillRunning));
}

function identifyCaller(socket: Socket, workers: () => readonly Worker[]): CallerProcess {
  const peer = findPeer(socket);
  // A process that passed its connection on and exited cannot be inspected any more.
  const isThere = (): boolean => peer !== null && readProcessStartTime(peer.pid) === peer.startTime;
  return {
    pid: peer?.pid ?? null,
    is: (pid, startTime) => peer?.pid === pid && peer.startTime === startTime && isThere(),
    isSupervised: () => peer === null || !isThere() || isSupervised(peer.pid, workers(), readProcessFacts),
    supervisor: () => peer && findSupervisor(peer.pid, workers(), readProcessFacts),
  };
}

/**
 * If a tool started its own worker and the worker exited, the tool cannot be located. The worker then stays listed, so every
 * caller is refused.
 */
function isStillRunning({ pid, startTime, underTool }: Worker): boolean {
  return underTool || startTime === null || readProcessStartTime(pid) === startTime;
}
