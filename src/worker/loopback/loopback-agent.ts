/**
 * Opens connections to a tool's own server for HTTP, streams of events and WebSockets. It checks each one before anything is sent,
 * because a port may change hands between two connections.
 */
import { connect, type Socket } from "node:net";
import { Agent } from "undici";

export const HOST = "127.0.0.1";
/** A request goes to the hub with its content twice, and a message there has 8 MiB; a tool also reports whole files. */
export const MESSAGE_BYTES_MAX = 16 * 1024 * 1024;

/** An agent of our own: a shared one may go through a proxy that the environment names. */
export function createLoopbackAgent(
  target: { readonly port: number } | { readonly path: string },
  isPeer: (socket: Socket) => Promise<boolean>,
): Agent {
  return new Agent({
    // Callers have limits of their own; a stream of events may be silent for hours.
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
