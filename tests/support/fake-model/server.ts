/**
 * A fake model on the loopback that speaks the APIs of several vendors, so that real CLIs run without account or network. It keeps
 * no state of conversations: the scenario and its step are read from each request.
 */
import { EventEmitter, once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readBody } from "node:stream/consumers";
import { anthropic } from "./anthropic.js";
import { chat } from "./chat.js";
import type { MessagesRequest, ToolResult } from "./conversation.js";
import { gemini } from "./gemini.js";
import type { Protocol } from "./protocol.js";
import { responses } from "./responses.js";
import { scenarios as standardScenarios } from "./scenarios.js";
import { findPlace, listResults, type Scenario, type Step, stepFor } from "./script.js";
import { writeJson } from "./stream.js";

const PROTOCOLS: readonly Protocol[] = [anthropic, chat, responses, gemini];
const PLAN_FILE = /\/[^"\\\s`]+\/plans\/[^"\\\s`]+\.md/;

interface FakeModelOptions {
  /** What the model says to `[[name]]`, besides the standard scenarios. */
  readonly scenarios?: Readonly<Record<string, Scenario>>;
  /** The tool's working directory, for scenarios that name files. May be set later with `setWorkspace`. */
  readonly cwd?: string;
}

export class FakeModel {
  /** The conversation as the tool sent it. Requests without tools (titles, digests) are not kept. */
  readonly requests: MessagesRequest[] = [];
  readonly #server: Server;
  readonly #events = new EventEmitter();
  readonly #scenarios: Readonly<Record<string, Scenario>>;
  #cwd: string;
  #ids = 0;

  private constructor({ scenarios, cwd = process.cwd() }: FakeModelOptions) {
    this.#cwd = cwd;
    this.#scenarios = { ...standardScenarios, ...scenarios };
    // Several streams may be held at once.
    this.#events.setMaxListeners(0);
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(options: FakeModelOptions = {}): Promise<FakeModel> {
    const fake = new FakeModel(options);
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

  /** Ends every held stream. */
  release(): void {
    this.#events.emit("release");
  }

  /** What the tool has reported about the calls of a scenario. Requests beside the conversation contain none of them. */
  toolResults(scenario: string): readonly ToolResult[] {
    return (
      this.requests.map((request) => listResults(request, scenario)).findLast(({ length }) => length > 0) ??
      []
    );
  }

  async close(): Promise<void> {
    this.release();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const body = await readBody(request);
      const path = request.url?.split("?")[0] ?? "";
      const protocol = PROTOCOLS.find((each) => each.path.test(path));
      if (request.method === "HEAD") response.writeHead(200).end();
      else if (request.method === "POST" && protocol) await this.#answer(protocol, body, response);
      else if (path.endsWith("/count_tokens")) writeJson(response, 200, { input_tokens: 1234 });
      else if (path.endsWith(":countTokens")) writeJson(response, 200, { totalTokens: 1234 });
      else if (path.endsWith("/models")) writeJson(response, 200, MODELS);
      else writeJson(response, 404, { type: "error", error: { type: "not_found_error", message: path } });
    } catch {
      // The tool hung up, or sent no valid request.
      response.destroy();
    }
  }

  async #answer(protocol: Protocol, text: string, response: ServerResponse): Promise<void> {
    const body: unknown = JSON.parse(text);
    await protocol.write(response, this.#stepFor(protocol, protocol.read(body), text), {
      body,
      newId: (prefix) => `${prefix}_${String(++this.#ids).padStart(10, "0")}`,
      released: async () => {
        await once(this.#events, "release");
      },
    });
  }

  #stepFor({ title = "A session" }: Protocol, request: MessagesRequest, text: string): Step {
    if (!request.tools?.length) return { text: title };
    this.requests.push(request);
    const context = { cwd: this.#cwd, planFile: PLAN_FILE.exec(text)?.[0] ?? null };
    return stepFor(this.#scenarios, findPlace(request), context);
  }
}

const MODELS = {
  object: "list",
  data: [{ id: "fake-model", object: "model", created: 1, owned_by: "fake" }],
};
