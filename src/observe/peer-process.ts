/** Identifies the process behind a connection by asking the kernel, which cannot be deceived (`unix(7)`, SO_PEERCRED). */
import type { Duplex } from "node:stream";
import { readProcessStartTime } from "./process-life.js";
import { getNativeCalls } from "./system-calls.js";

/** Its start time distinguishes it from a later process with the same pid. */
export interface PeerProcess {
  readonly pid: number;
  readonly startTime: string;
  readonly uid: number;
}

export function canFindPeers(): boolean {
  return getNativeCalls() !== null;
}

/** Null if the system does not provide it, or the process is gone. */
export function findPeer(socket: Duplex): PeerProcess | null {
  const fd = getDescriptor(socket);
  const credentials = fd === null ? null : (getNativeCalls()?.getCredentials(fd) ?? null);
  if (!credentials) return null;
  const startTime = readProcessStartTime(credentials.pid);
  return startTime === null ? null : { ...credentials, startTime };
}

/** Node has no public API for it. Null if it is not a socket. */
function getDescriptor(socket: Duplex): number | null {
  const { _handle: handle } = socket as unknown as { _handle?: { fd?: number } | null };
  return handle?.fd !== undefined && handle.fd >= 0 ? handle.fd : null;
}
