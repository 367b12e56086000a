/** One call of a hook by the tool: what it tells, and the only way back to it. */
import type { ServerResponse } from "node:http";
import type { Cancel, Clock } from "../../../model/clock.js";

export type HookBody = Readonly<Record<string, unknown>>;

/**
 * `delivered`: the tool has read it. `gone`: it had stopped waiting, and got nothing. `unknown`: the connection broke while it was
 * under way.
 */
export type Delivery = "delivered" | "gone" | "unknown";

export interface HookCall {
  readonly event: string;
  readonly body: HookBody;
  /** The tool still waits. */
  readonly isOpen: boolean;
  /** Gives the tool this answer; null: no opinion. Once; afterwards, and when nobody waits, `gone`. */
  answer(json: object | null): Promise<Delivery>;
  /** Calls back when the tool stops waiting by itself (its time is over, the keyboard was faster); never after `answer`. */
  onGone(callback: () => void): void;
}

/** A tool that took the answer closes the connection at once; one that does not has it all the same. */
const CLOSES_WITHIN_MS = 1000;

export class HttpHookCall implements HookCall {
  readonly event: string;
  readonly body: HookBody;
  readonly #response: ServerResponse;
  readonly #clock: Clock;
  #isOpen = true;
  #onGone: () => void = () => undefined;

  constructor(event: string, body: HookBody, response: ServerResponse, clock: Clock) {
    this.event = event;
    this.body = body;
    this.#response = response;
    this.#clock = clock;
    response.once("close", () => this.#closed());
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  onGone(callback: () => void): void {
    this.#onGone = callback;
  }

  answer(json: object | null): Promise<Delivery> {
    if (!this.#isOpen) return Promise.resolve("gone");
    this.#isOpen = false;
    const response = this.#response;
    const { socket } = response;
    return new Promise((resolve) => {
      let stopTimer: Cancel = () => undefined;
      const conclude = (broke: boolean): void => {
        stopTimer();
        resolve(!response.writableFinished ? "gone" : broke ? "unknown" : "delivered");
      };
      socket?.once("close", conclude);
      stopTimer = this.#clock.after(CLOSES_WITHIN_MS, () => conclude(false));
      endResponse(response, json);
    });
  }

  #closed(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#onGone();
  }
}

/** Every call has a connection of its own: that it closes in peace is the proof that the answer was read. */
export function endResponse(response: ServerResponse, json: object | null): void {
  const body = json === null ? "" : JSON.stringify(json);
  response.writeHead(200, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    connection: "close",
  });
  response.end(body);
}
