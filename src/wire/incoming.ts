/** Requests from the other side: validated, handled in order, each answered exactly once. */
import { AtlasBridgeError, InvariantError } from "../model/errors.js";
import type { CallTable, ParamsOf, ResultOf } from "./messages.js";
import { quoteName, RPC_ERROR, toRpcError, type RpcError, type RpcId } from "./rpc.js";
import { check } from "./validate.js";

/** The most bytes that may wait to be handled: one and a half of the longest lines. */
const UNANSWERED_BYTES_MAX = 12 * 1024 * 1024;
/** A worker resends a handful of requests and a client sends one at a time; a peer with more in flight is broken. */
export const UNANSWERED_MAX = 1024;

/** One function per method. Its return value is the result; an AtlasBridgeError is passed to the caller. */
export type Handlers<T extends CallTable> = {
  readonly [M in keyof T]: (params: ParamsOf<T, M>) => ResultOf<T, M> | Promise<ResultOf<T, M>>;
};

/** What one side of a connection serves. Created by `serve`, which ties the handlers' types to the table. */
export interface CallService {
  readonly table: CallTable;
  readonly handlers: Readonly<Record<string, (params: never) => unknown>>;
  /** Checks a request before its parameters, which may differ in another version. Throws to refuse it. */
  readonly admit?: (method: string, params: object) => void;
  /** Called right after a successful result was written and before the next request is handled. */
  readonly answered?: (method: string) => void;
}

export function serve<T extends CallTable>(
  table: T,
  handlers: Handlers<T>,
  hooks: Pick<CallService, "admit" | "answered"> = {},
): CallService {
  return { table, handlers, ...hooks };
}

export interface IncomingRequest {
  readonly id: RpcId;
  readonly method: string;
  readonly params: object;
}

export type CallReply =
  { readonly id: RpcId; readonly result: unknown } | { readonly id: RpcId | null; readonly error: RpcError };

export class IncomingCalls {
  readonly #service: CallService;
  readonly #send: (answer: CallReply) => void;
  readonly #onBug: (method: string, error: unknown) => void;
  #tail: Promise<void> = Promise.resolve();
  #unanswered = 0;
  #unansweredBytes = 0;
  #stopped = false;

  constructor(
    service: CallService,
    send: (answer: CallReply) => void,
    onBug: (method: string, error: unknown) => void,
  ) {
    this.#service = service;
    this.#send = send;
    this.#onBug = onBug;
  }

  /** Bytes of the accepted requests without a response yet. */
  get unansweredBytes(): number {
    return this.#unansweredBytes;
  }

  /** `bytes`: the length of its line. */
  accept(request: IncomingRequest, bytes: number): void {
    const refusal = this.#findRefusal(request, bytes);
    if (refusal) {
      this.#send({ id: request.id, error: refusal });
      return;
    }
    this.#unanswered += 1;
    this.#unansweredBytes += bytes;
    if (this.#service.table[request.method]?.waits) void this.#run(request, bytes);
    else this.#tail = this.#tail.then(() => this.#run(request, bytes));
  }

  /** Drops requests that have not begun: they were not acknowledged, so the other side sends them again. */
  stop(): void {
    this.#stopped = true;
  }

  #findRefusal({ method }: IncomingRequest, bytes: number): RpcError | null {
    if (!Object.hasOwn(this.#service.table, method))
      return { code: RPC_ERROR.methodNotFound, message: `unknown method ${quoteName(method)}` };
    if (this.#unanswered >= UNANSWERED_MAX)
      return { code: RPC_ERROR.failed, message: `more than ${UNANSWERED_MAX} unanswered requests` };
    if (this.#unansweredBytes + bytes > UNANSWERED_BYTES_MAX)
      return {
        code: RPC_ERROR.failed,
        message: `more than ${UNANSWERED_BYTES_MAX} bytes of unanswered requests`,
      };
    return null;
  }

  async #run(request: IncomingRequest, bytes: number): Promise<void> {
    if (this.#stopped) return;
    const answer = await this.#buildReply(request);
    this.#unanswered -= 1;
    this.#unansweredBytes -= bytes;
    this.#send(answer);
    if ("result" in answer) this.#service.answered?.(request.method);
  }

  async #buildReply(request: IncomingRequest): Promise<CallReply> {
    try {
      return { id: request.id, result: (await this.#handle(request)) ?? null };
    } catch (error) {
      return { id: request.id, error: this.#toRpcError(error, request.method) };
    }
  }

  #handle({ method, params }: IncomingRequest): unknown {
    this.#service.admit?.(method, params);
    const { table, handlers } = this.#service;
    const schema = table[method]?.params;
    const handler = handlers[method];
    if (!schema || !handler) throw new InvariantError(`no handler for ${method}`);
    const checked = check(schema, params, "params");
    if (!checked.ok) throw new InvalidParams(checked.problem);
    return handler(checked.value as never);
  }

  #toRpcError(error: unknown, method: string): RpcError {
    if (error instanceof InvalidParams) return { code: RPC_ERROR.invalidParams, message: error.message };
    if (!(error instanceof AtlasBridgeError)) this.#onBug(method, error);
    return toRpcError(error, method);
  }
}

class InvalidParams extends Error {}
