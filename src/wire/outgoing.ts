/** Requests that wait for their response: ids, time limits, and a guaranteed end for each. */
import type { Cancel, Clock } from "../model/clock.js";
import { AtlasBridgeError } from "../model/errors.js";
import type { CallTable } from "./messages.js";
import { fromRpcError, type RpcError, type RpcId } from "./rpc.js";
import { check } from "./validate.js";

/** Hub and worker are on one machine and respond in milliseconds; ten seconds means a stuck disk or a stopped process. */
export const CALL_TIMEOUT_MS = 10_000;

interface WaitingCall {
  readonly method: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly stopTimer: Cancel;
}

export class OutgoingCalls {
  readonly #remote: CallTable;
  readonly #clock: Clock;
  readonly #waiting = new Map<RpcId, WaitingCall>();
  #lastId = 0;

  constructor(remote: CallTable, clock: Clock) {
    this.#remote = remote;
    this.#clock = clock;
  }

  /** Opens a call; `timeoutMs` null waits forever. The caller sends the request with this id. */
  open(method: string, timeoutMs: number | null): { id: number; answer: Promise<unknown> } {
    const id = ++this.#lastId;
    const answer = new Promise<unknown>((resolve, reject) => {
      const stopTimer = timeoutMs === null ? () => undefined : this.#expireAfter(timeoutMs, id);
      this.#waiting.set(id, { method, resolve, reject, stopTimer });
    });
    return { id, answer };
  }

  /** Handles a response. One for a call that was given up is ignored. */
  succeed(id: RpcId, result: unknown): void {
    const call = this.#remove(id);
    const schema = call && this.#remote[call.method]?.result;
    if (!schema) return;
    const checked = check(schema, result, "result");
    if (checked.ok) call.resolve(checked.value);
    else call.reject(new AtlasBridgeError("ATB_WIRE_INVALID", `${call.method}: ${checked.problem}`));
  }

  fail(id: RpcId, error: RpcError): void {
    const call = this.#remove(id);
    call?.reject(fromRpcError(error, call.method));
  }

  abandon(id: RpcId, error: Error): void {
    this.#remove(id)?.reject(error);
  }

  /** The connection ended: fails every waiting call. */
  abandonAll(reason: string): void {
    for (const [id, call] of [...this.#waiting]) this.abandon(id, createLostError(call.method, reason));
  }

  #remove(id: RpcId): WaitingCall | undefined {
    const call = this.#waiting.get(id);
    this.#waiting.delete(id);
    call?.stopTimer();
    return call;
  }

  #expireAfter(timeoutMs: number, id: number): Cancel {
    return this.#clock.after(timeoutMs, () => {
      const method = this.#waiting.get(id)?.method ?? "";
      this.abandon(id, createLostError(method, `no answer within ${timeoutMs} ms`));
    });
  }
}

export function createLostError(method: string, reason: string): AtlasBridgeError {
  return new AtlasBridgeError("ATB_WIRE_LOST", `${method}: ${reason}`);
}
