/** One request of a server that waits for somebody: us, or the person at the tool's own dialog. The first answer counts. */
import type { Cancel, Clock } from "../../../model/clock.js";
import type { Delivery, ReplyPath, RequestEnd } from "../../prompts/reply-path.js";
import { isObject, type Json } from "../../../model/data/json.js";

/** The server says that a request is over as soon as it has read an answer; on a very busy machine within seconds. */
const RESOLVED_WITHIN_MS = 5000;

export interface ServerCallOptions {
  readonly clock: Clock;
  /** Sends this answer; false: nobody hears it any more. */
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

  /** Null is never sent: whatever we said would count. That the server then says it is over proves that the answer was read. */
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
      // Whoever asks anew asks by the dialog, and not by this call.
      this.#onEnd("lost");
    });
  }

  /** The server says that it waits no more. */
  resolved(): void {
    this.#settle("delivered");
    this.#end("over");
  }

  /** Somebody else's answer was first; ours was not taken, if there was one. */
  overtaken(): void {
    this.#settle("gone");
    this.#isOpen = false;
    this.#onEnd("answered");
  }

  /** The connection is gone; the server may wait on. */
  lost(): void {
    this.#settle("unknown");
    this.#end("lost");
  }

  #end(why: RequestEnd): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#onEnd(why);
  }
}
