/** Connects to a tool's own server. Each connection is checked before anything is sent, because the port may have another owner by then. */
import { connect, type Socket } from "node:net";
import { Agent } from "undici";

export const HOST = "127.0.0.1";
/** A tool also reports whole files. */
export const MESSAGE_BYTES_MAX = 16 * 1024 * 1024;

/** A shared agent might use a proxy of the environment. */
export function createLoopbackAgent(
  target: { readonly port: number } | { readonly path: string },
  isPeer: (socket: Socket) => Promise<boolean>,
): Agent {
  return new Agent({
    // An event stream may be silent for hours.
    headersTimeout: 0,
    bodyTimeout: 0,
    webSocket: { maxPayloadSize: MESSAGE_BYTES_MAX },
    connect: (_, done) => {
      const socket = connect({ host: HOST, ...target });
      const refuse = (error: Error): void => {
        socket.destroy();
        done(error, null);
      };
      socket.once("error", refuse);
      socket.once("connect", () => {
        isPeer(socket).then((is) => {
          if (!is) {
            refuse(new Error("another process is at the other end"));
            return;
          }
          socket.off("error", refuse);
          done(null, socket);
        }, refuse);
      });
    },
  });
}
