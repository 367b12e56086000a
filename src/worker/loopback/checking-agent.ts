/**
 * Opens connections over the loopback and checks for each one which process is at the other end: a port may change hands between
 * two connections.
 */
import { Agent } from "node:http";
import { connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";

export const HOST = "127.0.0.1";

export class CheckingAgent extends Agent {
  readonly #isPeer: (socket: Socket) => Promise<boolean>;

  constructor(isPeer: (socket: Socket) => Promise<boolean>) {
    super({ keepAlive: true });
    this.#isPeer = isPeer;
  }

  override createConnection(
    { port }: { port?: number | string | null },
    done?: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    const socket = connect(Number(port), HOST);
    const refuse = (error: Error): void => {
      socket.destroy();
      done?.(error, socket);
    };
    socket.once("error", refuse);
    socket.once("connect", () => {
      this.#isPeer(socket)
        .then((is) => {
          if (!is) throw new Error("another process is at the other end");
          socket.off("error", refuse);
          done?.(null, socket);
        })
        .catch((error: unknown) => refuse(error as Error));
    });
  }
}
