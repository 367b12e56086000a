/** Binding the hub's socket. Only the holder of the hub's lock may call this: it removes what a dead hub left behind. */
import { rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { AtlasBridgeError } from "../../model/errors.js";

/** Connections that wait while the event loop is busy: dozens of sessions reconnecting at once after a crash. */
const BACKLOG = 256;

/** Listens on a socket that only its owner can reach; the caller has made its directory private. Errors: ATB_HUB_UNREACHABLE. */
export async function listenOn(path: string, accept: (socket: Socket) => void): Promise<Server> {
  process.umask(0o077);
  rmSync(path, { force: true });
  const server = createServer(accept);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => reject(cannotListen(path, cause)));
    server.listen({ path, backlog: BACKLOG }, resolve);
  });
  return server;
}

function cannotListen(path: string, cause: Error): AtlasBridgeError {
  return new AtlasBridgeError("ATB_HUB_UNREACHABLE", `the hub cannot listen on ${path}`, { cause });
}
