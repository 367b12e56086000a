/**
 * A fake model on the loopback that speaks the APIs of all vendors but Anthropic's (that is `fake-anthropic`), so that real CLIs
 * run without account or network. What it says is a script; which part of it, is read from each request.
 */
import { EventEmitter, once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readBody } from "node:stream/consumers";
import type { MessagesRequest, ToolResult } from "../fake-anthropic/protocol.js";
import { writeJson } from "../fake-anthropic/reply.js";
import { findPlace, listResults, type Scenario, type Step, stepFor } from "../fake-anthropic/script.js";
import { chat } from "./chat.js";
import { gemini } from "./gemini.js";
import type { Protocol } from "./protocol.js";
import { responses } from "./responses.js";

const PROTOCOLS: readonly Protocol[] = [chat, responses, gemini];

export interface FakeModelOptions {
  /** What the model says to `[[name]]`. */
  readonly scenarios: Readonly<Record<string, Scenario>>;
  /** The tool's working directory, for scenarios that name files. */
  readonly cwd: string;
}

export class FakeModel {
  /** The conversation as the tool sent it; side requests (titles, digests) come without tools and are not kept. */
  readonly requests: MessagesRequest[] = [];
  readonly #server: Server;
  readonly #events = new EventEmitter();
  readonly #options: FakeModelOptions;
  #ids = 0;

  private constructor(options: FakeModelOptions) {
    this.#options = options;
    // Several streams may be held at once.
    this.#events.setMaxListeners(0);
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(options: FakeModelOptions): Promise<FakeModel> {
    const fake = new FakeModel(options);
    fake.#server.listen(0, "127.0.0.1");
    await once(fake.#server, "listening");
    return fake;
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  /** Lets every held stream come to its end. */
  release(): void {
    this.#events.emit("release");
  }

  /** What the tool reported about the calls of a scenario so far. Requests of its own beside the conversation hold none of them. */
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
      if (request.method === "POST" && protocol) await this.#answer(protocol, JSON.parse(body), response);
      else if (path.endsWith(":countTokens")) writeJson(response, 200, { totalTokens: 1234 });
      else if (path.endsWith("/models")) writeJson(response, 200, MODELS);
      else writeJson(response, 404, { error: { message: path } });
    } catch {
      // The tool hung up, or sent what is no request: for it, the connection broke.
      response.destroy();
    }
  }

  async #answer(protocol: Protocol, body: unknown, response: ServerResponse): Promise<void> {
    await protocol.write(response, this.#stepFor(protocol.read(body)), {
      body,
      newId: (prefix) => `${prefix}_${String(++this.#ids).padStart(10, "0")}`,
      released: async () => {
        await once(this.#events, "release");
      },
    });
  }

  #stepFor(request: MessagesRequest): Step {
    if (!request.tools?.length) return { text: "A session" };
    this.requests.push(request);
    return stepFor(this.#options.scenarios, findPlace(request), { cwd: this.#options.cwd, planFile: null });
  }
}

const MODELS = {
  object: "list",
  data: [{ id: "fake-model", object: "model", created: 1, owned_by: "fake" }],
};
