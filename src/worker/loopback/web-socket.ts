/** A WebSocket over a Unix socket, as a client of a tool's own server: text messages in both directions, of limited size. */
import { createHash, randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import type { Cancel, Clock } from "../../model/clock.js";
import { BadFrame, FrameReader, encodeFrame, OPCODES, type WebSocketMessage } from "./web-socket-frames.js";

/** A server on the same machine answers at once; on a very busy machine within seconds. */
const GREETING_WITHIN_MS = 10_000;
/** The answer to a greeting is a few lines. */
const GREETING_BYTES_MAX = 8 * 1024;
/** A request goes to the hub with its content twice, and a message there has 8 MiB; a tool also reports whole files. */
export const MESSAGE_BYTES_MAX = 16 * 1024 * 1024;
/** Our messages (answers) are short. A server that no longer reads may have this much waiting; then the connection is given up. */
const UNREAD_BYTES_MAX = 1024 * 1024;
const END_OF_GREETING = "\r\n\r\n";
/** Defined by RFC 6455: it proves that the other end has understood the request. */
const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const MASK_BYTES = 4;

export interface WebSocketOptions {
  readonly path: string;
  readonly clock: Clock;
  readonly onOpen: () => void;
  readonly onText: (text: string) => void;
  /** Called once, with the reason in words for a log. */
  readonly onGone: (why: string) => void;
}

export class UnixWebSocket {
  readonly #options: WebSocketOptions;
  readonly #socket: Socket;
  readonly #reader = new FrameReader(MESSAGE_BYTES_MAX);
  readonly #key = randomBytes(16).toString("base64");
  readonly #stopTimer: Cancel;
  #greeting: Buffer | null = Buffer.alloc(0);
  #isGone = false;

  constructor(options: WebSocketOptions) {
    this.#options = options;
    this.#socket = connect(options.path);
    this.#stopTimer = options.clock.after(GREETING_WITHIN_MS, () => this.#fail("it did not answer"));
    this.#socket.on("connect", () => this.#socket.write(buildGreeting(this.#key)));
    this.#socket.on("data", (chunk) => this.#read(chunk));
    this.#socket.on("error", (error) => this.#fail(error.message));
    this.#socket.on("close", () => this.#fail("it was closed"));
  }

  /** Returns false when the connection is gone. */
  send(text: string): boolean {
    if (this.#isGone || this.#greeting !== null) return false;
    this.#write(OPCODES.text, Buffer.from(text, "utf8"));
    return !this.#isGone;
  }

  /** Closes the connection properly; `onGone` is not called. */
  close(): void {
    if (this.#isGone) return;
    if (this.#greeting === null) this.#write(OPCODES.close, Buffer.alloc(0));
    this.#isGone = true;
    this.#stopTimer();
    this.#socket.end();
    this.#socket.unref();
  }

  #read(chunk: Buffer): void {
    if (this.#isGone) return;
    try {
      const frames =
        this.#greeting === null ? chunk : this.#readGreeting(Buffer.concat([this.#greeting, chunk]));
      if (frames === null) return;
      for (const message of this.#reader.read(frames)) this.#take(message);
    } catch (error) {
      if (!(error instanceof BadFrame)) throw error;
      this.#fail(error.message);
    }
  }

  /** Returns the bytes after the answer to our greeting; null while the answer is not complete. */
  #readGreeting(bytes: Buffer): Buffer | null {
    const end = bytes.indexOf(END_OF_GREETING);
    this.#greeting = bytes;
    if (end < 0 && bytes.length > GREETING_BYTES_MAX) throw new BadFrame("its greeting does not end");
    if (end < 0) return null;
    if (!isWelcome(bytes.toString("latin1", 0, end), this.#key))
      throw new BadFrame("it does not accept a WebSocket");
    this.#greeting = null;
    this.#stopTimer();
    this.#options.onOpen();
    return bytes.subarray(end + END_OF_GREETING.length);
  }

  #take(message: WebSocketMessage): void {
    if (this.#isGone) return;
    if (message.kind === "text") this.#options.onText(message.text);
    else if (message.kind === "ping") this.#write(OPCODES.pong, message.payload);
    else if (message.kind === "close") this.#fail("it was closed by the server");
  }

  #write(opcode: number, payload: Uint8Array): void {
    if (this.#socket.writableLength > UNREAD_BYTES_MAX) this.#fail("it does not read");
    else this.#socket.write(encodeFrame(opcode, payload, randomBytes(MASK_BYTES)));
  }

  #fail(why: string): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#stopTimer();
    this.#socket.destroy();
    this.#options.onGone(why);
  }
}

function buildGreeting(key: string): string {
  const lines = [
    "GET / HTTP/1.1",
    "Host: localhost",
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    `Sec-WebSocket-Key: ${key}`,
  ];
  return lines.join("\r\n") + END_OF_GREETING;
}

/** We asked for no extension and no protocol. A server that agrees to one anyway has misunderstood us. */
function isWelcome(head: string, key: string): boolean {
  const [status = "", ...lines] = head.split("\r\n");
  const fields = new Map(
    lines.map((line) => [readFieldName(line), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const accept = createHash("sha1").update(`${key}${GUID}`).digest("base64");
  return (
    /^HTTP\/1\.1 101 /.test(status) &&
    fields.get("sec-websocket-accept") === accept &&
    !fields.has("sec-websocket-extensions")
  );
}

function readFieldName(line: string): string {
  return line.slice(0, Math.max(line.indexOf(":"), 0)).toLowerCase();
}
