/** A WebSocket over a Unix socket, as a client of a tool's own server: text messages both ways, of bounded size. */
import { createHash, randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import type { Cancel, Clock } from "../../model/clock.js";
import { BadFrame, FrameReader, frameOf, OPCODES, type WebSocketMessage } from "./web-socket-frames.js";

/** A server on the same machine answers at once; on a very busy one within seconds. */
const GREETING_WITHIN_MS = 10_000;
/** The answer to a greeting is a few lines. */
const GREETING_BYTES_MAX = 8 * 1024;
/** What is asked goes to the hub with its content twice, and a message there has 8 MiB; a tool tells of whole files besides. */
export const MESSAGE_BYTES_MAX = 16 * 1024 * 1024;
/** Of what we say (answers) nothing is long: a server that does not read any more has this much waiting, and is given up. */
const UNREAD_BYTES_MAX = 1024 * 1024;
const END_OF_GREETING = "\r\n\r\n";
/** By RFC 6455 it proves that the other end has understood what is wanted. */
const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const MASK_BYTES = 4;

export interface WebSocketOptions {
  readonly path: string;
  readonly clock: Clock;
  readonly onOpen: () => void;
  readonly onText: (text: string) => void;
  /** Once; whatever went wrong, in words for a log. */
  readonly onGone: (why: string) => void;
}

export class UnixWebSocket {
  readonly #options: WebSocketOptions;
  readonly #socket: Socket;
  readonly #reader = new FrameReader(MESSAGE_BYTES_MAX);
  readonly #key = randomBytes(16).toString("base64");
  readonly #stopTimer: Cancel;
  #greeting: Buffer | null = Buffer.alloc(0);
  #gone = false;

  constructor(options: WebSocketOptions) {
    this.#options = options;
    this.#socket = connect(options.path);
    this.#stopTimer = options.clock.after(GREETING_WITHIN_MS, () => this.#leave("it did not answer"));
    this.#socket.on("connect", () => this.#socket.write(greetingOf(this.#key)));
    this.#socket.on("data", (chunk) => this.#read(chunk));
    this.#socket.on("error", (error) => this.#leave(error.message));
    this.#socket.on("close", () => this.#leave("it was closed"));
  }

  /** False: nobody hears it any more. */
  send(text: string): boolean {
    if (this.#gone || this.#greeting !== null) return false;
    this.#write(OPCODES.text, Buffer.from(text, "utf8"));
    return !this.#gone;
  }

  /** Says goodbye, and is gone; `onGone` is not called. */
  close(): void {
    if (this.#gone) return;
    if (this.#greeting === null) this.#write(OPCODES.close, Buffer.alloc(0));
    this.#gone = true;
    this.#stopTimer();
    this.#socket.end();
    this.#socket.unref();
  }

  #read(chunk: Buffer): void {
    if (this.#gone) return;
    try {
      const frames = this.#greeting === null ? chunk : this.#greeted(Buffer.concat([this.#greeting, chunk]));
      if (frames === null) return;
      for (const message of this.#reader.read(frames)) this.#take(message);
    } catch (error) {
      if (!(error instanceof BadFrame)) throw error;
      this.#leave(error.message);
    }
  }

  /** What stands behind the answer to our greeting; null as long as it is not whole. */
  #greeted(bytes: Buffer): Buffer | null {
    const end = bytes.indexOf(END_OF_GREETING);
    this.#greeting = bytes;
    if (end < 0 && bytes.length > GREETING_BYTES_MAX) throw new BadFrame("its greeting does not end");
    if (end < 0) return null;
    if (!isWelcome(bytes.toString("latin1", 0, end), this.#key)) throw new BadFrame("it speaks otherwise");
    this.#greeting = null;
    this.#stopTimer();
    this.#options.onOpen();
    return bytes.subarray(end + END_OF_GREETING.length);
  }

  #take(message: WebSocketMessage): void {
    if (this.#gone) return;
    if (message.kind === "text") this.#options.onText(message.text);
    else if (message.kind === "ping") this.#write(OPCODES.pong, message.payload);
    else if (message.kind === "close") this.#leave("it was closed by the server");
  }

  #write(opcode: number, payload: Uint8Array): void {
    if (this.#socket.writableLength > UNREAD_BYTES_MAX) this.#leave("it does not read");
    else this.#socket.write(frameOf(opcode, payload, randomBytes(MASK_BYTES)));
  }

  #leave(why: string): void {
    if (this.#gone) return;
    this.#gone = true;
    this.#stopTimer();
    this.#socket.destroy();
    this.#options.onGone(why);
  }
}

function greetingOf(key: string): string {
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

/** No extension and no protocol was asked for: a server that agrees to one anyway is misunderstood. */
function isWelcome(head: string, key: string): boolean {
  const [status = "", ...lines] = head.split("\r\n");
  const fields = new Map(lines.map((line) => [nameOf(line), line.slice(line.indexOf(":") + 1).trim()]));
  const accept = createHash("sha1").update(`${key}${GUID}`).digest("base64");
  return (
    /^HTTP\/1\.1 101 /.test(status) &&
    fields.get("sec-websocket-accept") === accept &&
    !fields.has("sec-websocket-extensions")
  );
}

function nameOf(line: string): string {
  return line.slice(0, Math.max(line.indexOf(":"), 0)).toLowerCase();
}
