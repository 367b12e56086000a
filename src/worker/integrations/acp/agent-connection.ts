/** The protocol's connection to one agent: its greeting in both versions, what we ask of it, and what it asks of us. */
import { client, RequestError, type ClientConnection } from "@agentclientprotocol/sdk";
import { isObject, type Json } from "../../../model/data/json.js";
import { guardedStream, type GuardedStream } from "./guarded-stream.js";
import type { RequestResult } from "../../prompts/pending-request.js";

/** The newest version that we speak. An older one is taken where the agent has no newer. */
const VERSION_NEWEST = 2;
const VERSION_OLDEST = 1;

/** Answers one request of the agent; `signal`: the agent takes it back. Errors: `RequestError`. */
export type RequestHandler = (params: Json, signal: AbortSignal) => Promise<RequestResult> | RequestResult;

export interface AgentConnectionOptions extends Omit<GuardedStream, "onNotification"> {
  readonly handlers: Readonly<Record<string, RequestHandler>>;
  /** What the agent reports; in order. */
  readonly onUpdate: (update: Json) => void;
}

/** What the agent said of itself. */
export interface Greeting {
  readonly version: number;
  readonly capabilities: Json;
  readonly authMethods: readonly Json[];
  /** Its name and version, where it tells them. */
  readonly agent: string | null;
}

export class AgentConnection {
  readonly #connection: ClientConnection;

  constructor(options: AgentConnectionOptions) {
    const app = client({ name: "atlasbridge" });
    // Read by ourselves: the SDK's parsers refuse kinds that are newer than they are, and drop fields that people have to see.
    app.onRequest("*", ({ method, params, signal }) => handled(options, method, params, signal));
    const onNotification = (method: string, params: unknown): void => {
      if (method === "session/update" && isObject(params) && isObject(params["update"]))
        options.onUpdate(params["update"]);
    };
    this.#connection = app.connect(guardedStream({ ...options, onNotification }));
  }

  /** Resolves when nothing can be said any more. */
  get closed(): Promise<void> {
    return this.#connection.closed;
  }

  /** Rejects with the agent's own `RequestError`, or when the connection ends. */
  async request(method: string, params: object): Promise<Json> {
    const result: unknown = await this.#connection.agent.request(method, params);
    return isObject(result) ? result : {};
  }

  /** Never rejects. */
  notify(method: string, params: object): void {
    this.#connection.agent.notify(method, params).catch(() => undefined);
  }

  close(): void {
    this.#connection.close();
  }

  /** Asks for the newest version in words that both understand. Errors: as `request`, and when there is no common version. */
  async greet(
    capabilities: Json,
    us: { readonly name: string; readonly version: string },
  ): Promise<Greeting> {
    const greeting = await this.request("initialize", {
      protocolVersion: VERSION_NEWEST,
      clientInfo: us,
      clientCapabilities: capabilities,
      info: us,
      capabilities: newerForm(capabilities),
    });
    const version = greeting["protocolVersion"];
    if (typeof version !== "number" || version < VERSION_OLDEST || version > VERSION_NEWEST)
      throw new RequestError(-32022, `it speaks version ${String(version)} of the protocol`);
    const { authMethods } = greeting;
    const told = greeting["agentInfo"] ?? greeting["info"];
    const own = greeting["agentCapabilities"] ?? greeting["capabilities"];
    return {
      version,
      capabilities: isObject(own) ? own : {},
      authMethods: Array.isArray(authMethods) ? authMethods.filter(isObject) : [],
      agent: isObject(told)
        ? [told["title"] ?? told["name"], told["version"]].filter(isText).join(" ")
        : null,
    };
  }
}

/** Version 2 has neither files nor terminals. */
function newerForm({ elicitation }: Json): Json {
  return elicitation === undefined ? {} : { elicitation };
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

async function handled(
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
