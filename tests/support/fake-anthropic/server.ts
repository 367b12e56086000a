/**
 * A fake Anthropic Messages API on the loopback, with which a real CLI runs without account or network.
 * It keeps no state of conversations: the scenario and its step are read from each request.
 */
import { EventEmitter, once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readBody } from "node:stream/consumers";
import { type MessagesRequest, parseMessagesRequest, type ToolResult } from "./protocol.js";
import { writeJson, writeReply } from "./reply.js";
import { scenarios as standardScenarios } from "./scenarios.js";
import { findPlace, type Place, listResults, type Scenario, type Step, stepFor } from "./script.js";

export interface FakeAnthropicOptions {
  /** The tool's working directory, for scenarios that name files. May be set later with `setWorkspace`. */
  readonly cwd?: string;
  /** Added to the standard scenarios, or replacing them by name. */
  readonly scenarios?: Readonly<Record<string, Scenario>>;
}

/** One request of the main conversation; side requests (titles, digests) are answered but not kept. */
export interface SeenRequest {
  readonly place: Place;
  readonly request: MessagesRequest;
}

const PLAN_FILE = /\/[^"\\\s`]+\/plans\/[^"\\\s`]+\.md/;

export class FakeAnthropic {
  readonly requests: SeenRequest[] = [];
  readonly #server: Server;
  readonly #events = new EventEmitter();
  readonly #scenarios: Readonly<Record<string, Scenario>>;
  #cwd: string;
  #ids = 0;

  private constructor(options: FakeAnthropicOptions) {
    this.#cwd = options.cwd ?? process.cwd();
    this.#scenarios = { ...standardScenarios, ...options.scenarios };
    // Several streams may be held at once.
    this.#events.setMaxListeners(0);
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(options: FakeAnthropicOptions = {}): Promise<FakeAnthropic> {
    const fake = new FakeAnthropic(options);
    fake.#server.listen(0, "127.0.0.1");
    await once(fake.#server, "listening");
    return fake;
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  setWorkspace(cwd: string): void {
    this.#cwd = cwd;
  }

  /** Lets every held stream come to its end. */
  release(): void {
    this.#events.emit("release");
  }

  /** What the CLI reported about the tool calls of a scenario so far: their output, or that they were refused. */
  toolResults(scenario: string): readonly ToolResult[] {
    const latest = this.requests.at(-1);
    return latest ? listResults(latest.request, scenario) : [];
  }

  async close(): Promise<void> {
    this.release();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#route(request, response);
    } catch {
      // The CLI hung up, or sent what is no request: for it, the connection broke.
      response.destroy();
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    const path = request.url?.split("?")[0] ?? "";
    if (request.method === "HEAD") response.writeHead(200).end();
    else if (path === "/v1/messages/count_tokens") writeJson(response, 200, { input_tokens: 1234 });
    else if (path === "/v1/messages") await this.#answer(body, response);
    else writeJson(response, 404, { type: "error", error: { type: "not_found_error", message: path } });
  }

  async #answer(body: string, response: ServerResponse): Promise<void> {
    const request = parseMessagesRequest(body);
    await writeReply(response, this.#stepFor(request, body), {
      model: request.model ?? "claude-fake",
      stream: request.stream ?? false,
      newId: (prefix) => `${prefix}_${String(++this.#ids).padStart(10, "0")}`,
      released: async () => {
        await once(this.#events, "release");
      },
    });
  }

  #stepFor(request: MessagesRequest, body: string): Step {
    // Titles, summaries and quota probes come without tools.
    if (!request.tools?.length) return { text: '{"isNewTopic": true, "title": "A session"}' };
    const place = findPlace(request);
    this.requests.push({ place, request });
    return stepFor(this.#scenarios, place, { cwd: this.#cwd, planFile: PLAN_FILE.exec(body)?.[0] ?? null });
  }
}
