/** Requests and notifications in both directions, as JSON-RPC without its version field, over whatever carries objects. */
import { isObject, toText, type Json } from "../../../model/data/json.js";

export class PeerRpcError extends Error {}

export type PeerRpcId = string | number;

export const SAME_ID = "two requests have this id, so neither can be answered";

export interface RpcPeerOptions {
  readonly send: (message: object) => boolean;
  /** Withdraws a pending request with this id. True where there was one: then both are refused. Absent: duplicates are not checked. */
  readonly isOpen?: (id: PeerRpcId) => boolean;
  readonly onRequest: (id: PeerRpcId, method: string, params: Json) => void;
  readonly onNotification: (method: string, params: Json) => void;
}

interface Waiting {
  readonly resolve: (result: Json) => void;
  readonly reject: (error: Error) => void;
}

export class RpcPeer {
  readonly #options: RpcPeerOptions;
  readonly #waiting = new Map<number, Waiting>();
  #ids = 0;
  #isClosed = false;

  constructor(options: RpcPeerOptions) {
    this.#options = options;
  }

  request(method: string, params: Json): Promise<Json> {
    this.#ids += 1;
    const id = this.#ids;
    return new Promise((resolve, reject) => {
      if (this.#isClosed || !this.#options.send({ id, method, params })) reject(createEndedError());
      else this.#waiting.set(id, { resolve, reject });
    });
  }

  notify(method: string): void {
    this.#options.send({ method });
  }

  answer(id: PeerRpcId, result: Json): boolean {
    return this.#options.send({ id, result });
  }

  refuse(id: PeerRpcId, message: string): void {
    this.#options.send({ id, error: { code: -32601, message } });
  }

  close(): void {
    this.#isClosed = true;
    for (const waiting of this.#waiting.values()) waiting.reject(createEndedError());
    this.#waiting.clear();
  }

  receive(message: Json): void {
    const method = toText(message["method"]);
    const { id } = message;
    if (this.#refuseDuplicate(message)) return;
    const params = isObject(message["params"]) ? message["params"] : {};
    if (method === null) this.#onAnswer(message);
    else if (isRpcId(id)) this.#options.onRequest(id, method, params);
    else this.#options.onNotification(method, params);
  }

  /** Rejects the call that an unreadable message answers. False where the message is a request or notification of the other end. */
  rejectUnreadable({ id, method }: Json, why: string): boolean {
    if (this.#refuseDuplicate({ id, method })) return true;
    if (method === undefined) this.#onAnswer({ id, error: { message: why } });
    return method === undefined;
  }

  /** Refuses this request and the pending one with the same id. Returns false where there is none. */
  #refuseDuplicate({ id, method }: Json): boolean {
    if (method === undefined || !isRpcId(id) || this.#options.isOpen?.(id) !== true) return false;
    for (let requests = 2; requests > 0; requests -= 1) this.refuse(id, SAME_ID);
    return true;
  }

  #onAnswer({ id, result, error }: Json): void {
    const waiting = this.#waiting.get(Number(id));
    this.#waiting.delete(Number(id));
    if (isObject(error)) waiting?.reject(new PeerRpcError(toText(error["message"]) ?? "it failed"));
    else waiting?.resolve(isObject(result) ? result : {});
  }
}

export function isRpcId(id: unknown): id is PeerRpcId {
  return typeof id === "string" || typeof id === "number";
}

function createEndedError(): Error {
  return new Error("the tool ended");
}
