import type { ServerResponse } from "node:http";
import type { Cancel, Clock } from "../../../model/clock.js";
import type { Json } from "../../../model/data/json.js";
import type { Delivery, ReplyPath, RequestEnd } from "../../prompts/reply-path.js";

export interface HookCall extends ReplyPath {
  readonly event: string;
  readonly body: Json;
}

/** A tool that has read the answer closes the connection at once. */
export const CLOSES_WITHIN_MS = 5000;

export class HttpHookCall implements HookCall {
  readonly event: string;
  readonly body: Json;
  readonly #response: ServerResponse;
  readonly #clock: Clock;
  #isOpen = true;
  #onEnd: (why: RequestEnd) => void = () => undefined;

  constructor(event: string, body: Json, response: ServerResponse, clock: Clock) {
    this.event = event;
    this.body = body;
    this.#response = response;
    this.#clock = clock;
    response.once("close", () => this.#handleClose());
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  onEnd(callback: (why: RequestEnd) => void): void {
    this.#onEnd = callback;
  }

  answer(json: object | null): Promise<Delivery> {
    if (!this.#isOpen) return Promise.resolve("gone");
    this.#isOpen = false;
    const response = this.#response;
    const { socket } = response;
    return new Promise((resolve) => {
      let stopTimer: Cancel = () => undefined;
      const conclude = (delivery: Delivery): void => {
        stopTimer();
        resolve(response.writableFinished ? delivery : "gone");
      };
      socket?.once("end", () => conclude("delivered"));
      socket?.once("close", () => conclude("unknown"));
      stopTimer = this.#clock.after(CLOSES_WITHIN_MS, () => {
        conclude("unread");
        socket?.destroy();
      });
      endResponse(response, json);
    });
  }

  #handleClose(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#onEnd("lost");
  }
}

/**
 * Each call has its own connection. A clean close by the other end proves that the answer was read, because closing with unread data
 * resets the connection. So we only half-close our end.
 */
export function endResponse(response: ServerResponse, json: object | null): void {
  const body = json === null ? "" : JSON.stringify(json);
  const { socket } = response;
  // Node would close both directions once the kernel has accepted the answer.
  if (socket) socket.destroySoon = () => socket.end();
  response.writeHead(200, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    connection: "close",
  });
  response.end(body);
}
