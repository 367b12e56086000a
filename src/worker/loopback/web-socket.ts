/** A client of a tool's WebSocket server on a Unix socket. */
import type { Socket } from "node:net";
import { WebSocket, type Agent } from "undici";
import type { Cancel, Clock } from "../../model/clock.js";
import { createLoopbackAgent } from "./loopback-agent.js";

/** A very busy machine takes seconds. */
const GREETING_WITHIN_MS = 10_000;
/** A server that leaves this much unread is given up. */
const UNREAD_BYTES_MAX = 1024 * 1024;

export interface WebSocketOptions {
  readonly path: string;
  readonly clock: Clock;
  readonly onOpen: () => void;
  readonly onText: (text: string) => void;
  /** Called once. */
  readonly onGone: (why: string) => void;
}

export class UnixWebSocket {
  readonly #options: WebSocketOptions;
  readonly #agent: Agent;
  readonly #webSocket: WebSocket;
  readonly #stopTimer: Cancel;
  #socket: Socket | null = null;
  #isGone = false;

  constructor(options: WebSocketOptions) {
    this.#options = options;
    this.#agent = createLoopbackAgent({ path: options.path }, (socket) => {
      this.#socket = socket;
      return Promise.resolve(true);
    });
    this.#stopTimer = options.clock.after(GREETING_WITHIN_MS, () => this.#fail("it did not answer"));
    this.#webSocket = new WebSocket("ws://localhost/", { dispatcher: this.#agent });
    this.#webSocket.addEventListener("open", () => this.#onOpen());
    this.#webSocket.addEventListener("message", ({ data }) => this.#onMessage(data));
    this.#webSocket.addEventListener("close", ({ reason }) => this.#fail(reason || "it was closed"));
  }

  send(text: string): boolean {
    if (this.#isGone || this.#webSocket.readyState !== WebSocket.OPEN) return false;
    this.#webSocket.send(text);
    if (this.#webSocket.bufferedAmount > UNREAD_BYTES_MAX) this.#fail("it does not read");
    return !this.#isGone;
  }

  /** `onGone` is not called. */
  close(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#stopTimer();
    this.#webSocket.close();
    this.#socket?.end();
    this.#socket?.unref();
  }

  #onOpen(): void {
    this.#stopTimer();
    if (this.#isGone) return;
    this.#options.onOpen();
  }

  #onMessage(data: unknown): void {
    if (this.#isGone) return;
    if (typeof data === "string") this.#options.onText(data);
    else this.#fail("it sent a message that is no text");
  }

  #fail(why: string): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#stopTimer();
    this.#socket?.destroy();
    void this.#agent.destroy();
    this.#options.onGone(why);
  }
}
