/** What the kernel says of who speaks on a connection: the hub believes nothing that a caller says of itself. */
import type { Socket } from "node:net";
import type { SessionId } from "../../model/ids.js";
import type { Log } from "../../observe/log.js";
import { canFindPeers, findPeer } from "../../observe/peer-process.js";
import { readProcessFacts } from "../../observe/process-facts.js";
import { processStartTime } from "../../observe/process-life.js";
import { isSupervised, supervisorOf, type Worker } from "./supervision.js";

/** The process behind a connection. What depends on open sessions is looked up anew each time, for sessions come and go. */
export interface CallerProcess {
  /** Null where the system does not tell. */
  readonly pid: number | null;
  /** Whether it is this process, and no other that was given the same number. True where the system does not tell. */
  is(pid: number, startTime: string | null): boolean;
  /** It is part of a supervised tool, or nobody can tell what it is. False where the system tells nothing of its processes. */
  isSupervised(): boolean;
  /** The session whose tool started it; null where none did. */
  supervisor(): SessionId | null;
}

/** Made for a connection when it is accepted. */
export type FindCaller = (socket: Socket) => CallerProcess;

/** No other system tells so much of a connection: see docs/explanation/threat-model.md. */
const UNKNOWN: CallerProcess = {
  pid: null,
  is: () => true,
  isSupervised: () => false,
  supervisor: () => null,
};

/** `workers`: the processes of the sessions that are open now. */
export function openCallerCheck(workers: () => readonly Worker[], log: Log): FindCaller {
  if (process.platform !== "linux") return () => UNKNOWN;
  if (!canFindPeers()) {
    log("error", "no answer is taken over the socket: the processes behind it cannot be seen");
    return () => ({ ...UNKNOWN, isSupervised: () => true });
  }
  return (socket) => callerOn(socket, () => workers().filter(stillRuns));
}

function callerOn(socket: Socket, workers: () => readonly Worker[]): CallerProcess {
  const peer = findPeer(socket);
  // Whoever handed its connection on and ended cannot be looked at any more.
  const isThere = (): boolean => peer !== null && processStartTime(peer.pid) === peer.startTime;
  return {
    pid: peer?.pid ?? null,
    is: (pid, startTime) => peer?.pid === pid && peer.startTime === startTime && isThere(),
    isSupervised: () => peer === null || !isThere() || isSupervised(peer.pid, workers(), readProcessFacts),
    supervisor: () => peer && supervisorOf(peer.pid, workers(), readProcessFacts),
  };
}

/** Of a tool's own worker that is gone nobody knows any more where the tool is: it stays in the list, and everybody is refused. */
function stillRuns({ pid, startTime, underTool }: Worker): boolean {
  return underTool || startTime === null || processStartTime(pid) === startTime;
}
