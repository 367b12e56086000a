/** The server's end of a WebSocket (RFC 6455), frame by frame, so that tests can be as rude as a network is. */
import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const TEXT = 1;
const CLOSE = 8;
const PING = 9;
const PONG = 10;

export class ServerSocket {
  onText: (text: string) => void = () => undefined;
  /** It has read all that was sent before the ping. */
  onPong: () => void = () => undefined;
  /** The client is gone, or has said that it goes. */
  onGone: () => void = () => undefined;
  /** False: this end hears nothing any more and says nothing, but the connection stands. */
  #alive = true;
  #pending: Buffer = Buffer.alloc(0);
  #gone = false;
  readonly #socket: Duplex;

  constructor(request: IncomingMessage, socket: Duplex, head: Buffer) {
    this.#socket = socket;
    const accept = createHash("sha1")
      .update(`${request.headers["sec-websocket-key"] ?? ""}${GUID}`)
      .digest("base64");
    socket.write(
      [
        "HTTP/1.1 101 Switching Protocols",
        "Upgrade: websocket",
        "Connection: Upgrade",
        `Sec-WebSocket-Accept: ${accept}`,
        "\r\n",
      ].join("\r\n"),
    );
    socket.on("data", (chunk: Buffer) => this.#read(chunk));
    // Half of a connection is none: an HTTP server would keep its own half open for ever.
    socket.on("end", () => this.destroy());
    socket.on("close", () => this.#leave());
    socket.on("error", () => this.#leave());
    if (head.length > 0) this.#read(head);
  }

  get gone(): boolean {
    return this.#gone;
  }

  send(text: string): void {
    this.#write(TEXT, Buffer.from(text, "utf8"));
  }

  /** Bytes as they are, whether or not they are a frame. */
  sendRaw(bytes: Uint8Array): void {
    if (!this.#socket.destroyed) this.#socket.write(bytes);
  }

  ping(): void {
    this.#write(PING, Buffer.from("Ping from the service"));
  }

  /** Says goodbye in the protocol; the connection itself stays, as it does with the real service. */
  close(code = 1000): void {
    const reason = Buffer.alloc(2);
    reason.writeUInt16BE(code);
    this.#write(CLOSE, reason);
  }

  /** Cuts the connection. */
  destroy(): void {
    this.#socket.destroy();
    this.#leave();
  }

  freeze(): void {
    this.#alive = false;
  }

  #write(opcode: number, payload: Buffer): void {
    if (!this.#alive || this.#socket.destroyed) return;
    this.#socket.write(Buffer.concat([makeHeader(opcode, payload.length), payload]));
  }

  #read(chunk: Buffer): void {
    if (!this.#alive) return;
    this.#pending = Buffer.concat([this.#pending, chunk]);
    for (let frame = takeFrame(this.#pending); frame !== null; frame = takeFrame(this.#pending)) {
      this.#pending = frame.rest;
      this.#handle(frame.opcode, frame.payload);
    }
  }

  #handle(opcode: number, payload: Buffer): void {
    if (opcode === TEXT) this.onText(payload.toString("utf8"));
    if (opcode === PING) this.#write(PONG, payload);
    if (opcode === PONG) this.onPong();
    if (opcode === CLOSE) {
      this.#write(CLOSE, payload.subarray(0, 2));
      this.#leave();
    }
  }

  #leave(): void {
    if (this.#gone) return;
    this.#gone = true;
    this.onGone();
  }
}

function makeHeader(opcode: number, length: number): Buffer {
  const first = 0x80 | opcode;
  if (length < 126) return Buffer.from([first, length]);
  if (length < 65_536) return Buffer.from([first, 126, length >> 8, length & 0xff]);
  const header = Buffer.alloc(10);
  header[0] = first;
  header[1] = 127;
  header.writeBigUInt64BE(BigInt(length), 2);
  return header;
}

interface Frame {
  readonly opcode: number;
  readonly payload: Buffer;
  readonly rest: Buffer;
}

/** The first whole frame, unmasked; null until it is there. Clients send ours unfragmented. */
function takeFrame(bytes: Buffer): Frame | null {
  if (bytes.length < 2) return null;
  const short = (bytes[1] ?? 0) & 0x7f;
  const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
  const maskAt = 2 + lengthBytes;
  if (bytes.length < maskAt + 4) return null;
  const length =
    short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
  const start = maskAt + 4;
  if (bytes.length < start + length) return null;
  const mask = bytes.subarray(maskAt, start);
  const payload = Buffer.from(bytes.subarray(start, start + length));
  for (let at = 0; at < length; at += 1) payload[at] = (payload[at] ?? 0) ^ (mask[at % 4] ?? 0);
  return { opcode: (bytes[0] ?? 0) & 0x0f, payload, rest: bytes.subarray(start + length) };
}
