/** The connection to one agent: its greeting in both versions of the protocol, and requests in both directions. */
import { client, RequestError, type ClientConnection } from "@agentclientprotocol/sdk";
import { isObject, toArray, toObject, toText, type Json } from "../../../model/data/json.js";
import { createGuardedStream, type GuardedStreamOptions } from "./guarded-stream.js";
import type { RequestResult } from "../../prompts/pending-request.js";

const VERSION_NEWEST = 2;
const VERSION_OLDEST = 1;

/** Answers one request; `signal` is aborted when the agent withdraws it. Errors: `RequestError`. */
export type RequestHandler = (params: Json, signal: AbortSignal) => Promise<RequestResult> | RequestResult;

export interface AgentConnectionOptions extends Omit<GuardedStreamOptions, "onNotification" | "onSameId"> {
  readonly handlers: Readonly<Record<string, RequestHandler>>;
  readonly onUpdate: (update: Json) => void;
}

export interface Greeting {
  readonly version: number;
  readonly capabilities: Json;
  readonly authMethods: readonly Json[];
  readonly agent: string | null;
}

export class AgentConnection {
  readonly #connection: ClientConnection;

  constructor(options: AgentConnectionOptions) {
    const app = client({ name: "atlasbridge" });
    // The SDK's parsers refuse kinds that they do not know yet, and drop fields that people have to see, so they are not used.
    const sameIds = new Set<string>();
    app.onRequest("*", ({ method, params, signal, requestId }) => {
      const id = String(requestId);
      const ends = mapReason(signal, () => (sameIds.has(id) ? SAME_ID : signal.reason));
      return handleRequest(options, method, params, ends).finally(() => sameIds.delete(id));
    });
    const onNotification = (method: string, params: unknown): void => {
      if (method === "session/update" && isObject(params) && isObject(params["update"]))
        options.onUpdate(params["update"]);
    };
    this.#connection = app.connect(
      createGuardedStream({ ...options, onNotification, onSameId: (id) => sameIds.add(String(id)) }),
    );
  }

  get closed(): Promise<void> {
    return this.#connection.closed;
  }

  /** Rejects with the agent's own `RequestError`, or when the connection ends. */
  async request(method: string, params: object): Promise<Json> {
    return toObject(await this.#connection.agent.request(method, params));
  }

  notify(method: string, params: object): void {
    this.#connection.agent.notify(method, params).catch(() => undefined);
  }

  close(): void {
    this.#connection.close();
  }

  async greet(
    capabilities: Json,
    us: { readonly name: string; readonly version: string },
  ): Promise<Greeting> {
    const greeting = await this.request("initialize", {
      protocolVersion: VERSION_NEWEST,
      clientInfo: us,
      clientCapabilities: capabilities,
      info: us,
      capabilities: toVersion2(capabilities),
    });
    const version = greeting["protocolVersion"];
    if (typeof version !== "number" || version < VERSION_OLDEST || version > VERSION_NEWEST)
      throw new RequestError(
        -32022,
        `it uses version ${String(version)} of the protocol, which is not supported`,
      );
    const { authMethods } = greeting;
    const namedAgent = greeting["agentInfo"] ?? greeting["info"];
    const own = greeting["agentCapabilities"] ?? greeting["capabilities"];
    return {
      version,
      capabilities: toObject(own),
      authMethods: toArray(authMethods).filter(isObject),
      agent: isObject(namedAgent)
        ? [namedAgent["title"] ?? namedAgent["name"], namedAgent["version"]]
            .filter((part) => typeof part === "string")
            .join(" ")
        : null,
    };
  }
}

/** The reason for withdrawing a request when a second one has the same id. */
export const SAME_ID = Symbol("two requests of one id");

function mapReason(signal: AbortSignal, findReason: () => unknown): AbortSignal {
  const end = new AbortController();
  if (signal.aborted) end.abort(findReason());
  else signal.addEventListener("abort", () => end.abort(findReason()), { once: true });
  return end.signal;
}

/** Version 2 has neither files nor terminals. */
function toVersion2({ elicitation }: Json): Json {
  return elicitation === undefined ? {} : { elicitation };
}

async function handleRequest(
  { handlers }: AgentConnectionOptions,
  method: string,
  params: unknown,
  signal: AbortSignal,
): Promise<RequestResult> {
  const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined;
  if (!handler) throw RequestError.methodNotFound(method);
  if (!isObject(params)) throw RequestError.invalidParams();
  return handler(params, signal);
}

/** The agent's error for people. Often only its data says what is wrong. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const data = error instanceof RequestError ? error.data : undefined;
  const detail = isObject(data) ? (toText(data["details"]) ?? toText(data["message"])) : toText(data);
  return detail ? `${error.message}: ${detail}` : error.message;
}
