/** The least of a WebSocket client: what the gateway's own tests need to see each frame, and nothing that would help it. */
import { randomBytes } from "node:crypto";
import { request } from "node:http";
import type { Duplex } from "node:stream";
import type { Json } from "./json.js";

export class RawClient {
  readonly messages: Json[] = [];
  /** Opcodes of the control frames that came. */
  readonly controls: number[] = [];
  ended = false;
  onChange: () => void = () => undefined;
  readonly #socket: Duplex;
  #pending = Buffer.alloc(0);

  private constructor(socket: Duplex, head: Buffer) {
    this.#socket = socket;
    const end = (): void => {
      this.ended = true;
      this.onChange();
    };
    socket.on("data", (chunk: Buffer) => this.#read(chunk));
    socket.on("close", end);
    socket.on("error", end);
    this.#read(head);
  }

  /** Rejects with the HTTP status when the service lets nobody in. */
  static connect(address: string): Promise<RawClient> {
    const url = new URL(address);
    const headers = {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": randomBytes(16).toString("base64"),
    };
    return new Promise((resolve, reject) => {
      const asking = request({
        host: url.hostname,
        port: url.port,
        path: `${url.pathname}${url.search}`,
        headers,
      });
      asking.on("upgrade", (_response, socket, head) => resolve(new RawClient(socket, head)));
      asking.on("response", (response) => reject(new Error(`HTTP ${response.statusCode}`)));
      asking.on("error", reject);
      asking.end();
    });
  }

  send(message: unknown): void {
    this.sendFrame(1, Buffer.from(typeof message === "string" ? message : JSON.stringify(message)));
  }

  ack(envelopeId: unknown): void {
    this.send({ envelope_id: envelopeId, payload: {} });
  }

  /** Any frame, masked as a client must. */
  sendFrame(opcode: number, payload: Buffer): void {
    const mask = randomBytes(4);
    const length =
      payload.length < 126
        ? Buffer.from([0x80 | payload.length])
        : Buffer.from([0x80 | 126, payload.length >> 8, payload.length & 0xff]);
    const masked = Buffer.from(payload.map((byte, at) => byte ^ (mask[at % 4] ?? 0)));
    this.#socket.write(Buffer.concat([Buffer.from([0x80 | opcode]), length, mask, masked]));
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    this.#pending = Buffer.concat([this.#pending, chunk]);
    for (;;) {
      const [first = 0, short = 0] = this.#pending;
      const extra = short === 126 ? 2 : short === 127 ? 8 : 0;
      if (this.#pending.length < 2 + extra) return;
      const length =
        extra === 0
          ? short
          : extra === 2
            ? this.#pending.readUInt16BE(2)
            : Number(this.#pending.readBigUInt64BE(2));
      const end = 2 + extra + length;
      if (this.#pending.length < end) return;
      const payload = this.#pending.subarray(2 + extra, end);
      this.#pending = this.#pending.subarray(end);
      if ((first & 0x0f) === 1) this.messages.push(JSON.parse(payload.toString("utf8")) as Json);
      else this.controls.push(first & 0x0f);
      this.onChange();
    }
  }
}
