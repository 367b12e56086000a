/** JSON-RPC 2.0 envelopes: parsing lines, and transferring errors. Pure. */
import { AtlasBridgeError, ERROR_CODES, type ErrorCode } from "../model/errors.js";
import { isCostlyJson, JSON_VALUES_MAX } from "../model/data/json-cost.js";
import { isDeeperThan } from "../model/data/nesting.js";
import { MESSAGE_LEVELS_MAX } from "./messages.js";

export type RpcId = string | number;

/** Codes of JSON-RPC 2.0 §5.1; `failed` is ours, from the range for servers. */
export const RPC_ERROR = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  failed: -32000,
} as const;

export interface RpcError {
  readonly code: number;
  readonly message: string;
  /** Our code and hint, so that the caller gets the same AtlasBridgeError that the other side threw. */
  readonly data?: { readonly code: ErrorCode; readonly hint: string };
}

export type RpcEnvelope =
  | { readonly kind: "request"; readonly id: RpcId; readonly method: string; readonly params: object }
  | { readonly kind: "notification"; readonly method: string; readonly params: object }
  | { readonly kind: "result"; readonly id: RpcId; readonly result: unknown }
  | { readonly kind: "error"; readonly id: RpcId | null; readonly error: RpcError }
  | { readonly kind: "invalid"; readonly id: RpcId | null; readonly error: RpcError };

/** Longest id and method name: ours are far shorter, and both are echoed in responses. */
const NAME_MAX = 128;

/** Parses one line. Never throws: an invalid message comes back as `invalid` with the error to respond with. */
export function readEnvelope(text: string): RpcEnvelope {
  if (isCostlyJson(text))
    return createNotARequest(null, `the line has more than ${JSON_VALUES_MAX} values: send them in parts`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return createInvalid(null, RPC_ERROR.parse, "the line is not JSON");
  }
  if (Array.isArray(value))
    return createNotARequest(null, "batches are not supported: send one object per line");
  if (typeof value !== "object" || value === null)
    return createNotARequest(null, "the line is not a JSON object");
  return classify(value as Record<string, unknown>);
}

function classify(message: Record<string, unknown>): RpcEnvelope {
  const id = isId(message.id) ? message.id : null;
  if (message.jsonrpc !== "2.0") return createNotARequest(id, 'the field "jsonrpc" must be "2.0"');
  if ("method" in message) return readCall(message, id);
  if ("result" in message || "error" in message) return readAnswer(message, id);
  return createNotARequest(id, 'the message has neither "method" nor "result" nor "error"');
}

function readCall(message: Record<string, unknown>, id: RpcId | null): RpcEnvelope {
  const problem = findUnknownField(message, ["jsonrpc", "id", "method", "params"]) ?? checkDepth(message);
  if (problem) return createNotARequest(id, problem);
  const { method, params = {} } = message;
  if (typeof method !== "string" || method === "" || method.length > NAME_MAX)
    return createNotARequest(id, `the field "method" must be a text of 1 to ${NAME_MAX} characters`);
  if (typeof params !== "object" || params === null || Array.isArray(params))
    return createNotARequest(id, 'the field "params" must be an object');
  if (!("id" in message)) return { kind: "notification", method, params };
  return id === null
    ? createNotARequest(
        null,
        `the field "id" must be a whole number or a text of at most ${NAME_MAX} characters`,
      )
    : { kind: "request", id, method, params };
}

/** An invalid response with an id still ends the call that it names. */
function readAnswer(message: Record<string, unknown>, id: RpcId | null): RpcEnvelope {
  const stranger = findUnknownField(message, ["jsonrpc", "id", "result", "error"]);
  const problem =
    stranger ??
    ("result" in message && "error" in message ? 'both "result" and "error"' : null) ??
    checkDepth(message);
  if (problem && id !== null)
    return { kind: "error", id, error: { code: RPC_ERROR.invalidRequest, message: problem } };
  if (problem) return createNotARequest(null, problem);
  if ("error" in message) return { kind: "error", id, error: readError(message.error) };
  return id === null
    ? createNotARequest(null, "a result needs the id of its request")
    : { kind: "result", id, result: message.result };
}

function readError(value: unknown): RpcError {
  const error = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  const data = (typeof error.data === "object" && error.data !== null ? error.data : {}) as Record<
    string,
    unknown
  >;
  const code = typeof error.code === "number" ? error.code : RPC_ERROR.internal;
  const message = typeof error.message === "string" ? error.message : "an error without a message";
  if (!isErrorCode(data.code)) return { code, message };
  return { code, message, data: { code: data.code, hint: typeof data.hint === "string" ? data.hint : "" } };
}

function isId(value: unknown): value is RpcId {
  return typeof value === "string" ? value.length <= NAME_MAX : Number.isSafeInteger(value);
}

function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === "string" && Object.hasOwn(ERROR_CODES, value);
}

function findUnknownField(message: object, known: readonly string[]): string | null {
  const stranger = Object.keys(message).find((key) => !known.includes(key));
  return stranger === undefined ? null : `unknown field ${quoteName(stranger)}`;
}

function checkDepth(message: object): string | null {
  return isDeeperThan(message, MESSAGE_LEVELS_MAX) ? "the message is nested too deep" : null;
}

/** Quotes a foreign name for an error message: short and without control characters. */
export function quoteName(name: string): string {
  const short = name.length > 40 ? `${name.slice(0, 40)}…` : name;
  return JSON.stringify(short).replace(/[^\u0020-\u007e\u2026]/gu, "?");
}

function createNotARequest(id: RpcId | null, message: string): RpcEnvelope {
  return createInvalid(id, RPC_ERROR.invalidRequest, message);
}

function createInvalid(id: RpcId | null, code: number, message: string): RpcEnvelope {
  return { kind: "invalid", id, error: { code, message } };
}

/** What the caller learns about an error that a handler threw. Of a bug it learns only that there was one. */
export function toRpcError(error: unknown, method: string): RpcError {
  if (error instanceof AtlasBridgeError)
    return {
      code: RPC_ERROR.failed,
      message: error.message,
      data: { code: error.code, hint: error.hint },
    };
  return { code: RPC_ERROR.internal, message: `internal error in ${method}` };
}

/** The error with which a call rejects. */
export function fromRpcError(error: RpcError, method: string): AtlasBridgeError {
  if (error.data) return new AtlasBridgeError(error.data.code, error.message, { hint: error.data.hint });
  const code = error.code === RPC_ERROR.internal ? "ATB_HUB_REFUSED" : "ATB_WIRE_INVALID";
  return new AtlasBridgeError(code, `${method}: ${error.message}`);
}
