/** A server of sessions in this process. The test says what it tells; each request is held against opencode's own document. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readBody } from "node:stream/consumers";
import { leastAnswer, findOperation, requestProblem } from "./session-server-schema/kept.js";

export const SESSION = "ses_1";

export interface ToldEvent {
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

export interface Answered {
  readonly status: number;
  readonly body: unknown;
}

export interface Said {
  /** By its name in the document; null: it has none. */
  readonly operation: string | null;
  readonly path: string;
  /** Null: none. */
  readonly body: unknown;
}

const REPLY = /^\/(permission|question)\/([^/]+)\/(reply|reject)$/;

export class SessionServerDouble {
  readonly said: Said[] = [];
  /** What was wrong with what was said. */
  readonly problems: string[] = [];
  /** What is asked and not answered, by its id. */
  readonly #asked = new Map<string, ToldEvent>();
  readonly #answers: Readonly<Record<string, Answered>>;
  readonly #listeners = new Set<ServerResponse>();
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  private constructor(answers: Readonly<Record<string, Answered>>) {
    this.#answers = answers;
  }

  /** `answers`: by the operations' names, or by paths; else they are the least that the document allows. */
  static async start(answers: Readonly<Record<string, Answered>> = {}): Promise<SessionServerDouble> {
    const double = new SessionServerDouble(answers);
    double.#server.listen(0, "127.0.0.1");
    await once(double.#server, "listening");
    return double;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  tell(event: ToldEvent): void {
    const { type, properties } = event;
    if (type === "permission.asked" || type === "question.asked")
      this.#asked.set(String(properties["id"]), event);
    this.tellAnything(event);
  }

  tellAnything(value: unknown): void {
    for (const listener of this.#listeners) listener.write(`data: ${JSON.stringify(value)}\n\n`);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "", headers } = request;
    const body = await readBody(request);
    const contentType = headers["content-type"];
    const wrong = requestProblem({ method, url, body, contentType });
    if (wrong !== null) this.problems.push(wrong);
    const operation = findOperation({ method, url });
    const { pathname } = new URL(url, "http://127.0.0.1");
    this.said.push({ operation, path: pathname, body: body === "" ? null : JSON.parse(body) });
    if (headers.authorization === undefined) {
      response.writeHead(401).end();
      return;
    }
    if (operation === "GET /event") {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.flushHeaders();
      this.#listeners.add(response);
      response.once("close", () => this.#listeners.delete(response));
      return;
    }
    const { status, body: answer } =
      this.#answers[pathname] ?? this.#answers[operation ?? ""] ?? this.#answerTo(operation, pathname);
    response.writeHead(status).end(status === 204 ? undefined : JSON.stringify(answer));
    if (status === 200) this.#settle(pathname, body);
  }

  #answerTo(operation: string | null, path: string): Answered {
    const kind = path.slice(1);
    switch (operation) {
      case null:
        return { status: 404, body: null };
      case "GET /permission":
      case "GET /question":
        return {
          status: 200,
          body: [...this.#asked.values()].flatMap(({ type, properties }) =>
            type === `${kind}.asked` ? [properties] : [],
          ),
        };
      case "POST /session/{sessionID}/prompt_async":
        return { status: 204, body: null };
      case "POST /session":
      case "GET /session/{sessionID}":
        return { status: 200, body: { ...(leastAnswer(operation, "200") as object), id: SESSION } };
      default:
        return { status: 200, body: leastAnswer(operation, "200") };
    }
  }

  /** What was answered is told to everybody. */
  #settle(path: string, body: string): void {
    const [, kind, id = "", at] = REPLY.exec(path) ?? [];
    const requestID = decodeURIComponent(id);
    const asked = this.#asked.get(requestID);
    if (kind === undefined || !asked) return;
    this.#asked.delete(requestID);
    const { sessionID } = asked.properties;
    const given = body === "" ? {} : (JSON.parse(body) as { reply?: unknown; answers?: unknown });
    const type = `${kind}.${at === "reject" ? "rejected" : "replied"}`;
    const told =
      kind === "permission" ? { reply: given.reply } : at === "reply" && { answers: given.answers };
    this.tell({ type, properties: { sessionID, requestID, ...told } });
  }
}
