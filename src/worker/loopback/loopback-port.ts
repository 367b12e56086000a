/** A port on the loopback that is opened before the tool starts, and served later. */
import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";

/** More connections are a mistake or an attack. */
const CONNECTIONS_MAX = 64;

export class LoopbackPort {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Connections that nothing serves yet, unread. */
  #unserved: Socket[] = [];
  #serve: (socket: Socket) => void = (socket) => this.#unserved.push(socket);

  private constructor() {
    this.#server = createServer({ pauseOnConnect: true }, (socket) => this.#take(socket));
    this.#server.maxConnections = CONNECTIONS_MAX;
    // It must not keep the process alive.
    this.#server.unref();
  }

  static async open(): Promise<LoopbackPort> {
    const loopback = new LoopbackPort();
    loopback.#server.listen(0, "127.0.0.1");
    await once(loopback.#server, "listening");
    return loopback;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  serve(serve: (socket: Socket) => void): void {
    this.#serve = serve;
    for (const socket of this.#unserved.splice(0)) serve(socket);
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #take(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once("close", () => this.#sockets.delete(socket));
    socket.unref();
    // A connection may end before it is served.
    socket.on("error", () => undefined);
    this.#serve(socket);
  }
}
