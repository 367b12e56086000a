/** The protocol's side of the MCP runtime: offers the tools, checks what they are called with, and keeps a waiting client awake. */
import { Transform, type Readable, type Writable } from "node:stream";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type CallToolResult,
  type ServerNotification,
  type ServerRequest,
} from "@modelcontextprotocol/sdk/types.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import { assertInvariant } from "../../../model/errors.js";
import type { Clock } from "../../../model/clock.js";
import { JsonCost } from "../../../model/data/json-cost.js";
import { isDeeperThan, JSON_LEVELS_MAX } from "../../../model/data/nesting.js";
import { LINE_BYTES_MAX } from "../../process/line-reader.js";
import type { RequestResult } from "../../prompts/pending-request.js";
import { CONSOLE_TOOL_LIST } from "./console-tool-schemas.js";
import {
  ASK_TOOL,
  PERMISSION_TOOL,
  NOTIFY_TOOL,
  TOOLS,
  type AskArguments,
  type PermissionArguments,
  type NotifyArguments,
} from "./tools.js";

/** Clients give up after a minute without a sign; on a loaded machine one that is twice as late still counts. */
export const PROGRESS_EVERY_MS = 10_000;
/** Errors that our own end of the protocol makes. */
const UNREAD: readonly number[] = [ErrorCode.ConnectionClosed, ErrorCode.RequestTimeout];

/** `signal`: the client takes the call back, or is gone. Errors: `ToolProblem`. */
export interface ToolHandlers {
  ask(asked: AskArguments, signal: AbortSignal): Promise<RequestResult>;
  notify(told: NotifyArguments): Promise<RequestResult>;
  permit(asked: PermissionArguments, signal: AbortSignal): Promise<RequestResult>;
  /** Null: it is no tool for consoles. Errors: for the agent to read. Absent: those tools are not offered. */
  console?(
    name: string,
    given: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<RequestResult> | null;
}

/** The error that the agent gets instead of a result. */
export class ToolProblem extends Error {}

export interface ToolServerOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly clock: Clock;
  /** Of this program. */
  readonly version: string;
  readonly handlers: ToolHandlers;
}

type McpCall = RequestHandlerExtra<ServerRequest, ServerNotification>;

const INSTRUCTIONS =
  "Reaches the human who supervises this session, on their phone or in their terminal. Their answer is theirs alone: never answer an " +
  "AtlasBridge question yourself, by any command.";

export class ToolServer {
  readonly #options: ToolServerOptions;
  readonly #mcp: McpServer;
  readonly #validators: ReadonlyMap<string, ReturnType<AjvJsonSchemaValidator["getValidator"]>>;
  /** That wait for an answer, by their ids. */
  readonly #calls = new Map<string, AbortController>();
  /** Resolves when the client is gone. */
  readonly closed: Promise<void>;
  #isClosing = false;

  constructor(options: ToolServerOptions) {
    this.#options = options;
    this.#mcp = new McpServer(
      { name: "atlasbridge", version: options.version },
      { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
    );
    const { server } = this.#mcp;
    const validator = new AjvJsonSchemaValidator();
    const offered = options.handlers.console ? [...TOOLS, ...CONSOLE_TOOL_LIST] : TOOLS;
    this.#validators = new Map(
      offered.map(({ name, inputSchema }) => [name, validator.getValidator(structuredClone(inputSchema))]),
    );
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: structuredClone(offered) as never }));
    server.setRequestHandler(CallToolRequestSchema, ({ params }, call) =>
      this.#onCall(params.name, params.arguments, call),
    );
    this.closed = new Promise((resolve) => (server.onclose = resolve));
    // A line that is no protocol message is dropped: it has no sender to answer.
    server.onerror = () => undefined;
  }

  /** Serves until the client closes its end. */
  async serve(): Promise<void> {
    const { input, output } = this.#options;
    const close = (): void => void this.close();
    // The transport does not mind the end of its input.
    input.once("end", close).once("close", close);
    output.on("error", close);
    const affordable = input.pipe(createCostGuard(close));
    await this.#mcp.connect(new StdioServerTransport(affordable, output, { maxBufferSize: LINE_BYTES_MAX }));
  }

  /** As the client calls itself; null before it did. */
  get client(): string | null {
    return this.#mcp.server.getClientVersion()?.name ?? null;
  }

  /** The client is gone, or we are closing. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** Resolves when the client has read all that was sent to it; rejects when it is gone first. */
  async ping(): Promise<void> {
    await this.#mcp.server.ping().catch((error: unknown) => {
      // A client that answers with an error has read it, too.
      if (!(error instanceof McpError) || UNREAD.includes(error.code)) throw error;
    });
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#mcp.close();
  }

  async #onCall(name: string, args: unknown = {}, call: McpCall): Promise<CallToolResult> {
    const same = this.#calls.get(String(call.requestId));
    if (same) {
      // The client would take any answer for the last of the two calls.
      same.abort("same_id");
      return problem("two calls have the same id: this one was not asked, and the other one is not answered");
    }
    if (isDeeperThan(args, JSON_LEVELS_MAX)) return problem("the arguments are nested too deep to be shown");
    const checked = this.#validators.get(name)?.(args);
    if (!checked) return problem(`there is no tool ${name}`);
    if (!checked.valid) return problem(checked.errorMessage);
    const stop = this.#reportProgress(call);
    const end = new AbortController();
    this.#calls.set(String(call.requestId), end);
    try {
      return toCallResult(name, await this.#handle(name, args, AbortSignal.any([call.signal, end.signal])));
    } catch (error) {
      if (error instanceof ToolProblem) return problem(error.message);
      throw error;
    } finally {
      this.#calls.delete(String(call.requestId));
      stop();
    }
  }

  #handle(name: string, args: unknown, signal: AbortSignal): Promise<RequestResult> {
    const { handlers } = this.#options;
    // The schemas have passed them.
    if (name === ASK_TOOL) return handlers.ask(args as AskArguments, signal);
    if (name === NOTIFY_TOOL) return handlers.notify(args as NotifyArguments);
    if (name === PERMISSION_TOOL) return handlers.permit(args as PermissionArguments, signal);
    const done = handlers.console?.(name, args as Readonly<Record<string, unknown>>, signal);
    assertInvariant(done, "a tool that is offered and that nobody handles");
    return done.catch((error: unknown) => {
      // The hub's refusal says why, and what to do.
      throw error instanceof ToolProblem ? error : new ToolProblem(toMessage(error));
    });
  }

  /** Tells a client that wants to know that we are still waiting. Returns how to stop. */
  #reportProgress(call: McpCall): () => void {
    const progressToken = call._meta?.progressToken;
    if (progressToken === undefined) return () => undefined;
    const { clock } = this.#options;
    let stopTimer = (): void => undefined;
    const tell = (progress: number): void => {
      const params = { progressToken, progress, message: "waiting for a human" };
      call.sendNotification({ method: "notifications/progress", params }).catch(() => undefined);
      stopTimer = clock.after(PROGRESS_EVERY_MS, () => tell(progress + 1));
    };
    tell(0);
    return () => stopTimer();
  }
}

/** Passes bytes on until one line holds more values than JSON_VALUES_MAX. Parsing it would stop every other call for seconds. */
function createCostGuard(onCostly: () => void): Transform {
  const cost = new JsonCost();
  return new Transform({
    transform(bytes: Buffer, _encoding, done) {
      if (cost.exceeds(bytes)) onCostly();
      else this.push(bytes);
      done();
    },
  });
}

function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function problem(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}

/** Structured, and as text for clients that know no other; a permission is text alone. */
function toCallResult(name: string, result: RequestResult): CallToolResult {
  const content = [{ type: "text" as const, text: JSON.stringify(result) }];
  return name === PERMISSION_TOOL ? { content } : { content, structuredContent: { ...result } };
}
