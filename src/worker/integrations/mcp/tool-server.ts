/** The MCP server: offers the tools, validates their arguments, and reports progress. */
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
import { assertInvariant, toMessage } from "../../../model/errors.js";
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

/** Clients give up after a minute without progress. */
export const PROGRESS_EVERY_MS = 10_000;
/** Errors of our own end of the protocol. */
const UNREAD: readonly number[] = [ErrorCode.ConnectionClosed, ErrorCode.RequestTimeout];

/** `signal` is aborted when the client withdraws the call, or has gone. Errors: `ToolProblem`. */
export interface ToolHandlers {
  ask(asked: AskArguments, signal: AbortSignal): Promise<RequestResult>;
  notify(told: NotifyArguments): Promise<RequestResult>;
  permit(asked: PermissionArguments, signal: AbortSignal): Promise<RequestResult>;
  /** Null for other tools. Absent: no console tools are offered. */
  console?(
    name: string,
    given: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<RequestResult> | null;
}

export class ToolProblem extends Error {}

export interface ToolServerOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly clock: Clock;
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
  readonly #calls = new Map<string, AbortController>();
  /** Resolves when the client has gone. */
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
    // A line that is no message is dropped.
    server.onerror = () => undefined;
  }

  async serve(): Promise<void> {
    const { input, output } = this.#options;
    const close = (): void => void this.close();
    // The transport ignores the end of its input.
    input.once("end", close).once("close", close);
    output.on("error", close);
    const affordable = input.pipe(createCostGuard(close));
    await this.#mcp.connect(new StdioServerTransport(affordable, output, { maxBufferSize: LINE_BYTES_MAX }));
  }

  get client(): string | null {
    return this.#mcp.server.getClientVersion()?.name ?? null;
  }

  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** Rejects when the client goes before it has read everything. */
  async ping(): Promise<void> {
    await this.#mcp.server.ping().catch((error: unknown) => {
      // An error proves the reading, too.
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
      // The client would take any answer for the later call.
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
    if (name === ASK_TOOL) return handlers.ask(args as AskArguments, signal);
    if (name === NOTIFY_TOOL) return handlers.notify(args as NotifyArguments);
    if (name === PERMISSION_TOOL) return handlers.permit(args as PermissionArguments, signal);
    const done = handlers.console?.(name, args as Readonly<Record<string, unknown>>, signal);
    assertInvariant(done, "a tool that is offered and that nobody handles");
    return done.catch((error: unknown) => {
      throw error instanceof ToolProblem ? error : new ToolProblem(toMessage(error));
    });
  }

  /** Returns a function that stops it. */
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

/** A line with more than JSON_VALUES_MAX values would take seconds to parse. */
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

function problem(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}

/** Older clients read only text; a permission is always text. */
function toCallResult(name: string, result: RequestResult): CallToolResult {
  const content = [{ type: "text" as const, text: JSON.stringify(result) }];
  return name === PERMISSION_TOOL ? { content } : { content, structuredContent: { ...result } };
}
