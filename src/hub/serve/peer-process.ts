/** Which process is behind a connection: asked of the kernel, which nobody can talk into anything (`unix(7)`, SO_PEERCRED). */
import type { Socket } from "node:net";
import { processStartTime } from "../../observe/process-life.js";

/** The process that connected, known again by its start time should its number be given to another one. */
export interface PeerProcess {
  readonly pid: number;
  readonly startTime: string;
}

/** Null when the system does not tell, or the process is gone already. */
export type FindPeer = (socket: Socket) => PeerProcess | null;

/** Values of Linux on every architecture that Node runs on but MIPS and SPARC. */
const SOL_SOCKET = 1;
const SO_PEERCRED = 17;
/** `struct ucred`: pid, uid and gid, 32 bits each. */
const UCRED_BYTES = 12;
const GETSOCKOPT =
  "int getsockopt(int fd, int level, int name, _Out_ uint8_t *value, _Inout_ uint32_t *length)";

type GetSockOpt = (fd: number, level: number, name: number, value: Buffer, length: [number]) => number;

/** Linux only. Errors: what loading the addon throws. */
export async function openPeerFinder(): Promise<FindPeer> {
  const { default: koffi } = await import("koffi");
  const getsockopt = koffi.load(null).func(GETSOCKOPT) as unknown as GetSockOpt;
  return (socket) => {
    const fd = descriptorOf(socket);
    const credentials = Buffer.alloc(UCRED_BYTES);
    if (fd === null || getsockopt(fd, SOL_SOCKET, SO_PEERCRED, credentials, [UCRED_BYTES]) !== 0) return null;
    const pid = credentials.readInt32LE(0);
    const startTime = processStartTime(pid);
    return startTime === null ? null : { pid, startTime };
  };
}

/** Node has no public name for it. */
function descriptorOf(socket: Socket): number | null {
  const { _handle: handle } = socket as unknown as { _handle?: { fd?: number } | null };
  return handle?.fd !== undefined && handle.fd >= 0 ? handle.fd : null;
}
