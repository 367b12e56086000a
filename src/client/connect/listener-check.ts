/** Checks with the kernel's data which process listens in the hub's place, before anything is sent to it. */
import type { Duplex } from "node:stream";
import { getOwnUid } from "../../config/own-user.js";
import { SESSION_MARK } from "../../model/session-mark.js";
import { canFindPeers, findPeer } from "../../observe/peer-process.js";
import { listAncestors, readEnvironment } from "../../observe/process-facts.js";
import { findUnsafeVariable } from "./hub-environment.js";
import { isStartedHere } from "./start-hub.js";

export interface ListenerCheck {
  readonly pid: number | null;
  /** Why it is not this user's hub, or null. */
  readonly problem: string | null;
  /** A hub that was just killed, or a program that left its socket to another one. */
  readonly hasExited?: true;
}

/**
 * `supervises`: this process runs a tool, which must not impersonate the hub. A process below is then the tool's, unless this process
 * started it as a hub.
 */
export function checkListener(socket: Duplex, supervises: boolean): ListenerCheck {
  if (!canFindPeers()) return { pid: null, problem: null };
  const listener = findPeer(socket);
  if (!listener) return { pid: null, problem: "the process that opened it has exited", hasExited: true };
  const { pid, startTime, uid } = listener;
  if (pid === process.pid) return { pid, problem: null };
  if (uid !== getOwnUid()) return { pid, problem: `process ${pid} runs as user ${uid}` };
  const environment = readEnvironment(pid);
  const above = listAncestors(pid) ?? [];
  if ([pid, ...above].some((each) => readEnvironment(each)?.get(SESSION_MARK)))
    return { pid, problem: `process ${pid} runs inside a session of AtlasBridge` };
  const steering = environment && findUnsafeVariable(Object.fromEntries(environment));
  if (steering) return { pid, problem: `process ${pid} was started with ${steering}` };
  const isBelow = supervises && !isStartedHere(pid, startTime) && above.includes(process.pid);
  return { pid, problem: isBelow ? `process ${pid} was started by this session's tool` : null };
}
