/** Connects workers and clients to the hub's socket. */
import { connect, type Socket } from "node:net";

/** Connects to a Unix socket. Rejects with the system's error (ENOENT, ECONNREFUSED: nobody listens). */
export function dial(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.off("error", reject);
      resolve(socket);
    });
  });
}
