/** A server that answers each request with bytes as a test wants them: cut, stopped, too long, or of another protocol. */
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";

export class RawServer {
  readonly sockets: Socket[] = [];
  received = "";
  readonly #server: Server;
  readonly #answer: (socket: Socket, request: number) => void;
  #requests = 0;

  private constructor(answer: (socket: Socket, request: number) => void) {
    this.#answer = answer;
    this.#server = createServer((socket) => this.#serve(socket));
  }

  /** `answer` is called once for each request, whose number it is told, from 1. */
  static async start(answer: (socket: Socket, request: number) => void): Promise<RawServer> {
    const server = new RawServer(answer);
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  get url(): URL {
    return new URL(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/call`);
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(socket: Socket): void {
    this.sockets.push(socket);
    socket.on("error", () => undefined);
    socket.on("data", (chunk: Buffer) => {
      const text = chunk.toString("latin1");
      this.received += text;
      // A request of a test fits into one packet, and its head begins with its method.
      if (/^(?:POST|GET) /.test(text)) this.#answer(socket, (this.#requests += 1));
    });
  }
}

export function wholeAnswer(body: string, headers: readonly string[] = []): Buffer {
  const head = ["HTTP/1.1 200 OK", `content-length: ${Buffer.byteLength(body)}`, ...headers];
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`);
}

/** The same in chunks, so that only its end says how long it is. */
export function chunkedAnswer(body: string): Buffer {
  const parts = body.match(/.{1,7}/gs) ?? [];
  const chunks = parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join("");
  return Buffer.from(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`);
}
