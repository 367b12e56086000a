/** Which process is behind a connection: asked of the kernel, which nobody can talk into anything (`unix(7)`, SO_PEERCRED). */
import type { Duplex } from "node:stream";
import { processStartTime } from "./process-life.js";
import { systemCalls } from "./system-calls.js";

/** The process that connected, or that listens; known again by its start time should its number be given to another one. */
export interface PeerProcess {
  readonly pid: number;
  readonly startTime: string;
  readonly uid: number;
}

/** False where nothing of what follows can be known. */
export function canFindPeers(): boolean {
  return systemCalls() !== null;
}

/** Null when the system does not tell, or the process is gone already. */
export function findPeer(socket: Duplex): PeerProcess | null {
  const fd = descriptorOf(socket);
  const credentials = fd === null ? null : (systemCalls()?.credentialsOf(fd) ?? null);
  if (!credentials) return null;
  const startTime = processStartTime(credentials.pid);
  return startTime === null ? null : { ...credentials, startTime };
}

/** Node has no public name for it. Null for what is no socket. */
function descriptorOf(socket: Duplex): number | null {
  const { _handle: handle } = socket as unknown as { _handle?: { fd?: number } | null };
  return handle?.fd !== undefined && handle.fd >= 0 ? handle.fd : null;
}
