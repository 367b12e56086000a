/** Binding the hub's socket. Only the holder of the hub's lock may call this: it removes what a dead hub left behind. */
import { lstatSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { fileError } from "../../config/file-errors.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { fileIdentity } from "./file-identity.js";

/** Connections that wait while the event loop is busy: dozens of sessions reconnecting at once after a crash. */
const BACKLOG = 256;

export interface Listening {
  /** False once the socket's file is gone or another one (somebody tidied up): nobody can find the way in any more. */
  isInPlace(): boolean;
  /** Takes no more connections and removes the file. */
  close(): void;
}

/**
 * Listens on a socket that only its owner can reach; the caller has made its directory private.
 * Errors: ATB_SOCKET_UNSAFE when something else than a socket is in its place, ATB_FILE_DENIED, ATB_HUB_UNREACHABLE.
 */
export async function listenOn(path: string, accept: (socket: Socket) => void): Promise<Listening> {
  process.umask(0o077);
  removeOldSocket(path);
  const server = createServer(accept);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => reject(fileError(cause, path, "cannot be listened on")));
    server.listen({ path, backlog: BACKLOG }, resolve);
  });
  // A failed accept (too many open files) concerns one connection, which its peer makes again.
  server.on("error", () => undefined);
  const bound = fileIdentity(path);
  return { isInPlace: () => fileIdentity(path) === bound, close: () => void server.close() };
}

function removeOldSocket(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return;
  if (!found.isSocket())
    throw new AtlasBridgeError("ATB_SOCKET_UNSAFE", `${path} is no socket: something else is in its place`, {
      hint: "Look at what it is and move it away.",
    });
  try {
    rmSync(path);
  } catch (cause) {
    throw fileError(cause, path, "cannot be removed");
  }
}
