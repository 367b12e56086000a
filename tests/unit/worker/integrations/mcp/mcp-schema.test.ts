/** Our MCP server sends messages that match the protocol's own schema (`tests/fixtures/schemas`), and serves on after unknown ones. */
import * as fc from "fast-check";
import { LATEST_PROTOCOL_VERSION } from "@modelcontextprotocol/sdk/types.js";
import { PassThrough } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import { ManualClock } from "../../../../../src/observe/clock.js";
import {
  PROGRESS_EVERY_MS,
  ToolProblem,
  ToolServer,
} from "../../../../../src/worker/integrations/mcp/tool-server.js";
import { TOOLS } from "../../../../../src/worker/integrations/mcp/tools.js";
import { mcpDefinitions, mcpProblem, listMembers } from "../../../../support/mcp-schema/kept.js";
import { generateAny, fullest, smallest } from "../../../../support/schema-instances.js";
import { waitFor } from "../../../../support/wait-for.js";

// Hundreds of messages each, on a machine that may be busy.
const DEFINITIONS = mcpDefinitions();

/** Asked again at once: hundreds of messages wait for each other. */
interface Line {
  readonly id?: string | number;
  readonly method?: string;
  readonly result?: object;
  readonly error?: { readonly code: number };
}

interface Server {
  readonly clock: ManualClock;
  readonly tell: (message: object) => void;
  readonly said: () => readonly Line[];
  /** Resolves to the answer. */
  readonly ask: (id: string | number, method: string, params?: unknown) => Promise<Line>;
}

const servers: ToolServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const ANSWERED = { status: "answered", answer: "red" };

async function served(): Promise<Server> {
  const [input, output, clock] = [new PassThrough(), new PassThrough(), new ManualClock()];
  let text = "";
  output.on("data", (bytes: Buffer) => (text += bytes.toString()));
  const server = new ToolServer({
    ...{ input, output, clock, version: "1" },
    handlers: {
      ask: ({ question }) => (question === "wait" ? new Promise(() => undefined) : Promise.resolve(ANSWERED)),
      notify: () => Promise.reject(new ToolProblem("nobody can be reached")),
      permit: ({ input: given }) => Promise.resolve({ behavior: "allow", updatedInput: given }),
    },
  });
  servers.push(server);
  await server.serve();
  const said = (): Line[] =>
    text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Line);
  const tell = (message: object): void => void input.write(`${JSON.stringify(message)}\n`);
  const ask: Server["ask"] = async (id, method, params) => {
    tell({ jsonrpc: "2.0", id, method, ...(params !== undefined && { params }) });
    return waitFor(() => {
      const found = said().find((line) => line.id === id && line.method === undefined);
      if (!found) throw new Error(`${method} is not answered`);
      return found;
    });
  };
  return { clock, tell, said, ask };
}

const GREETING = {
  protocolVersion: LATEST_PROTOCOL_VERSION,
  capabilities: {},
  clientInfo: { name: "tester", version: "1" },
};

/** What is wrong with one message of ours; `result`: the name of what answers such a request. */
function problem(line: Line, result = "EmptyResult"): string | null {
  if (line.method !== undefined)
    return mcpProblem(line.id === undefined ? "ServerNotification" : "ServerRequest", line, DEFINITIONS);
  if (line.error) return mcpProblem("JSONRPCErrorResponse", line, DEFINITIONS);
  return (
    mcpProblem("JSONRPCResultResponse", line, DEFINITIONS) ?? mcpProblem(result, line.result, DEFINITIONS)
  );
}

/** Those that nobody offers here are answered with "unknown". */
const SERVED: Readonly<Record<string, string>> = {
  initialize: "InitializeResult",
  ping: "EmptyResult",
  "tools/list": "ListToolsResult",
  "tools/call": "CallToolResult",
};

const readMethod = (name: string): string =>
  (DEFINITIONS[name] as { readonly properties: { readonly method: { readonly const: string } } }).properties
    .method.const;

describe("our messages to a client of MCP", () => {
  it("have the version whose schema is kept", () => expect(LATEST_PROTOCOL_VERSION).toBe("2025-11-25"));

  it("match the schema: greeting, tools, results, problems, progress", async () => {
    const { ask, said, clock, tell } = await served();
    expect(problem(await ask("hello", "initialize", GREETING), "InitializeResult")).toBeNull();
    tell({ jsonrpc: "2.0", method: "notifications/initialized" });
    const listed = await ask("tools", "tools/list");
    expect(problem(listed, "ListToolsResult")).toBeNull();
    expect(listed.result).toMatchObject({ tools: TOOLS.map(({ name }) => ({ name })) });
    expect(problem(await ask("ping", "ping"))).toBeNull();
    const calls = [
      { name: "ask_human", arguments: { question: "Which?", choices: ["red", "blue"] } },
      { name: "notify_human", arguments: { message: "done" } },
      { name: "permission_prompt", arguments: { tool_name: "Bash", input: { command: "ls" } } },
      { name: "ask_human", arguments: { question: 5 } },
      { name: "no_such_tool" },
    ];
    const results = await Promise.all(calls.map((params, at) => ask(at, "tools/call", params)));
    expect(results.map((line) => problem(line, "CallToolResult"))).toEqual(calls.map(() => null));
    expect(results.map(({ result }) => (result as { isError?: boolean }).isError === true)).toEqual([
      ...[false, true, false],
      ...[true, true],
    ]);
    const waits = { name: "ask_human", arguments: { question: "wait" }, _meta: { progressToken: "p" } };
    tell({ jsonrpc: "2.0", id: "wait", method: "tools/call", params: waits });
    const progress = (): readonly Line[] =>
      said().filter(({ method }) => method === "notifications/progress");
    await waitFor(() => expect(progress()).toHaveLength(1));
    clock.advance(PROGRESS_EVERY_MS);
    await waitFor(() => expect(progress()).toHaveLength(2));
    expect(progress().map((line) => problem(line))).toEqual([null, null]);
  });
});

describe("a message of a client of MCP", () => {
  it.each(listMembers("ClientRequest", DEFINITIONS))(
    "%s is answered, with the fewest fields and with all of them",
    async (name) => {
      const { ask } = await served();
      const method = readMethod(name);
      const result = SERVED[method];
      await ask("hello", "initialize", GREETING);
      const all = [
        smallest(DEFINITIONS[name] ?? {}, DEFINITIONS),
        ...fullest(DEFINITIONS[name] ?? {}, DEFINITIONS, 6),
      ];
      for (const [at, message] of all.entries()) {
        const answer = await ask(`q${at}`, method, (message as { readonly params?: unknown }).params);
        expect(problem(answer, result)).toBeNull();
        if (result === undefined) expect(answer.error?.code).toBe(-32601);
        // The SDK refuses to make a task of a call, where we do not offer that.
        else
          expect(answer.error === undefined).toBe(
            !("task" in Object((message as { params?: unknown }).params)),
          );
      }
    },
  );

  it("may have unknown fields, methods and answers: the server serves on", async () => {
    const { tell, ask, said } = await served();
    await ask("hello", "initialize", GREETING);
    const known = fc
      .tuple(fc.constantFrom(...listMembers("ClientNotification", DEFINITIONS)), fc.gen())
      .map(([name, choose]) => ({
        ...(generateAny(DEFINITIONS[name] ?? {}, DEFINITIONS, choose) as object),
        unheardOf: 1,
      }));
    const unknown = fc.record({
      jsonrpc: fc.constant("2.0"),
      method: fc.string(),
      params: fc.dictionary(fc.string(), fc.jsonValue()),
    });
    const answer = fc.record({
      jsonrpc: fc.constant("2.0"),
      id: fc.string(),
      result: fc.dictionary(fc.string(), fc.jsonValue()),
    });
    let pings = 0;
    await fc.assert(
      fc.asyncProperty(fc.oneof(known, unknown, answer), async (message) => {
        tell(message);
        expect((await ask(`ping-${(pings += 1)}`, "ping", { unheardOf: true })).error).toBeUndefined();
      }),
      { numRuns: 200 },
    );
    expect(said().filter(({ id }) => id === undefined)).toEqual([]);
  });
});
