/** Binds the hub's socket. Only the holder of the hub's lock may call this, because it removes what a dead hub left behind. */
import { lstatSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { createFileError } from "../../config/file-errors.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { getFileIdentity } from "./file-identity.js";

/** Connections that wait while the event loop is busy, such as dozens of sessions that reconnect after a crash. */
const BACKLOG = 256;

export interface Listening {
  /** False once the socket's file is missing or replaced: clients cannot find the hub any more. */
  isInPlace(): boolean;
  close(): void;
}

/**
 * Listens on a socket that only its owner can reach; the caller has made its directory private. Errors: ATB_SOCKET_UNSAFE if
 * the path holds something other than a socket, ATB_FILE_DENIED, ATB_HUB_UNREACHABLE.
 */
export async function listenOn(path: string, accept: (socket: Socket) => void): Promise<Listening> {
  process.umask(0o077);
  removeOldSocket(path);
  const server = createServer(accept);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => reject(createFileError(cause, path, "cannot be listened on")));
    server.listen({ path, backlog: BACKLOG }, resolve);
  });
  // A failed accept (too many open files) affects one connection, which its peer retries.
  server.on("error", () => undefined);
  const bound = getFileIdentity(path);
  return { isInPlace: () => getFileIdentity(path) === bound, close: () => void server.close() };
}

function removeOldSocket(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return;
  if (!found.isSocket())
    throw new AtlasBridgeError("ATB_SOCKET_UNSAFE", `${path} is not a socket`, {
      hint: "Check what it is and move it away.",
    });
  try {
    rmSync(path);
  } catch (cause) {
    throw createFileError(cause, path, "cannot be removed");
  }
}
