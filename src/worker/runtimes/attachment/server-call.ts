/** One request of a server that can be answered by us or by the person at the tool's own dialog. The first answer counts. */
import type { Cancel, Clock } from "../../../model/clock.js";
import type { Delivery, ReplyPath, RequestEnd } from "../../prompts/reply-path.js";
import { isObject, type Json } from "../../../model/data/json.js";

/** The server reports the end of a request as soon as it has read an answer; on a very busy machine within seconds. */
const RESOLVED_WITHIN_MS = 5000;

export interface ServerCallOptions {
  readonly clock: Clock;
  readonly send: (result: Json) => boolean;
}

export class ServerCall implements ReplyPath {
  readonly #options: ServerCallOptions;
  #isOpen = true;
  #onEnd: (why: RequestEnd) => void = () => undefined;
  #settle: (delivery: Delivery) => void = () => undefined;

  constructor(options: ServerCallOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  onEnd(callback: (why: RequestEnd) => void): void {
    this.#onEnd = callback;
  }

  /** Null is never sent, because any message would count. The report of the end proves that the answer was read. */
  answer(json: object | null): Promise<Delivery> {
    if (!this.#isOpen || !isObject(json)) {
      this.#isOpen = false;
      return Promise.resolve("gone");
    }
    this.#isOpen = false;
    return new Promise((resolve) => {
      let stopTimer: Cancel = () => undefined;
      this.#settle = (delivery) => {
        stopTimer();
        resolve(delivery);
      };
      stopTimer = this.#options.clock.after(RESOLVED_WITHIN_MS, () => this.#settle("unknown"));
      if (this.#options.send(json)) return;
      this.#settle("gone");
      this.#onEnd("lost");
    });
  }

  /** Call when the server reports that it no longer waits. */
  markResolved(): void {
    this.#settle("delivered");
    this.#end("over");
  }

  /** Call when another answer came first; ours was not accepted, if there was one. */
  markOvertaken(): void {
    this.#settle("gone");
    this.#isOpen = false;
    this.#onEnd("answered");
  }

  /** Call when the connection is gone; the server may still wait. */
  markLost(): void {
    this.#settle("unknown");
    this.#end("lost");
  }

  #end(why: RequestEnd): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#onEnd(why);
  }
}
