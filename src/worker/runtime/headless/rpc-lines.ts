/** Requests and notifications in both directions, as JSON-RPC without its version field, one object a line. */
import { isObject, textOf, type Json } from "../../detect/json.js";
import type { DialogueParts } from "./dialogue.js";
import { JsonLines, TOO_DEEP } from "./json-lines.js";

/** The other end answered with an error. */
export class RpcError extends Error {}

export type RpcId = string | number;

/** What a tool is told of two requests that have one id. */
export const SAME_ID = "two requests have this id, so no answer could be told from the other's";

export interface RpcLinesOptions extends Pick<DialogueParts, "input" | "output" | "onActivity"> {
  readonly onMessage: () => void;
  /** A request that has come by this id before waits for its answer, which nobody gives any more. */
  readonly isOpen: (id: RpcId) => boolean;
  readonly onRequest: (id: RpcId, method: string, params: Json) => void;
  readonly onNotification: (method: string, params: Json) => void;
}

interface Waiting {
  readonly resolve: (result: Json) => void;
  readonly reject: (error: Error) => void;
}

export class RpcLines {
  readonly #options: RpcLinesOptions;
  readonly #lines: JsonLines;
  readonly #waiting = new Map<number, Waiting>();
  #ids = 0;
  #closed = false;

  constructor(options: RpcLinesOptions) {
    this.#options = options;
    this.#lines = new JsonLines({
      ...options,
      onMessage: (message) => this.#onMessage(message),
      onTooDeep: (message) => this.#onTooDeep(message),
    });
  }

  /** Rejects with `RpcError`, or when the connection ends. */
  request(method: string, params: Json): Promise<Json> {
    this.#ids += 1;
    const id = this.#ids;
    return new Promise((resolve, reject) => {
      if (this.#closed || !this.#lines.send({ id, method, params })) reject(ended());
      else this.#waiting.set(id, { resolve, reject });
    });
  }

  notify(method: string): void {
    this.#lines.send({ method });
  }

  answer(id: RpcId, result: Json): void {
    this.#lines.send({ id, result });
  }

  refuse(id: RpcId, message: string): void {
    this.#lines.send({ id, error: { code: -32601, message } });
  }

  close(): void {
    this.#closed = true;
    for (const waiting of this.#waiting.values()) waiting.reject(ended());
    this.#waiting.clear();
  }

  #onMessage(message: Json): void {
    this.#options.onMessage();
    const method = textOf(message["method"]);
    const { id } = message;
    if (this.#isRefused(message)) return;
    const params = isObject(message["params"]) ? message["params"] : {};
    if (method === null) this.#onAnswer(message);
    else if (isId(id)) this.#options.onRequest(id, method, params);
    else this.#options.onNotification(method, params);
  }

  /** Whoever waits for it is told, on either side. */
  #onTooDeep({ id, method }: Json): void {
    this.#options.onMessage();
    this.#options.onActivity({ kind: "notice", text: `(${TOO_DEEP})` });
    if (this.#isRefused({ id, method })) return;
    if (method === undefined) this.#onAnswer({ id, error: { message: TOO_DEEP } });
    else if (isId(id)) this.refuse(id, TOO_DEEP);
  }

  /** Both requests of one id are. */
  #isRefused({ id, method }: Json): boolean {
    if (method === undefined || !isId(id) || !this.#options.isOpen(id)) return false;
    for (let requests = 2; requests > 0; requests -= 1) this.refuse(id, SAME_ID);
    return true;
  }

  #onAnswer({ id, result, error }: Json): void {
    const waiting = this.#waiting.get(Number(id));
    this.#waiting.delete(Number(id));
    if (isObject(error)) waiting?.reject(new RpcError(textOf(error["message"]) ?? "it failed"));
    else waiting?.resolve(isObject(result) ? result : {});
  }
}

function isId(id: unknown): id is RpcId {
  return typeof id === "string" || typeof id === "number";
}

function ended(): Error {
  return new Error("the tool ended");
}
