/** The question that the hub asks of a connection before it takes an answer from it. */
import type { Socket } from "node:net";
import type { Log } from "../../observe/log.js";
import { processStartTime } from "../../observe/process-life.js";
import { openPeerFinder, type FindPeer } from "./peer-process.js";
import { readProcessFacts } from "./process-facts.js";
import { isSupervised, type Worker } from "./supervision.js";

/**
 * Made for a connection when it is accepted; says whether a supervised tool speaks on it, or nobody can tell. It looks anew each
 * time, for sessions come and go.
 */
export type CallerCheck = (socket: Socket) => () => boolean;

/** `workers`: the processes of the sessions that are open now. */
export async function openCallerCheck(workers: () => readonly Worker[], log: Log): Promise<CallerCheck> {
  // No other system tells so much of a connection: see docs/threat-model.md.
  if (process.platform !== "linux") return () => () => false;
  const find = await openPeerFinder().catch((error: unknown): FindPeer => {
    log("error", "no answer is taken over the socket: the processes behind it cannot be seen", { error });
    return () => null;
  });
  return (socket) => {
    const peer = find(socket);
    // Whoever handed its connection on and ended cannot be looked at any more.
    return () =>
      peer === null ||
      processStartTime(peer.pid) !== peer.startTime ||
      isSupervised(peer.pid, workers(), readProcessFacts);
  };
}
