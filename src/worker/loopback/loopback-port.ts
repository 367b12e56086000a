/** A port on the loopback that is open before the tool starts. Its number goes to the tool; the code that serves it comes later. */
import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";

/** A tool sends a handful of requests at once; more connections are a mistake or an attack. */
const CONNECTIONS_MAX = 64;

export class LoopbackPort {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Connections that came before anything served them; none of their data was read. */
  #unserved: Socket[] = [];
  #serve: (socket: Socket) => void = (socket) => this.#unserved.push(socket);

  private constructor() {
    this.#server = createServer({ pauseOnConnect: true }, (socket) => this.#take(socket));
    this.#server.maxConnections = CONNECTIONS_MAX;
    // The session lasts as long as its tool.
    this.#server.unref();
  }

  /** Rejects with the system's error where no port is available. */
  static async open(): Promise<LoopbackPort> {
    const loopback = new LoopbackPort();
    loopback.#server.listen(0, "127.0.0.1");
    await once(loopback.#server, "listening");
    return loopback;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** From now on every connection goes to `serve`, the waiting ones first. */
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
    // A connection may end before it is served; afterwards the server has listeners of its own.
    socket.on("error", () => undefined);
    this.#serve(socket);
  }
}
