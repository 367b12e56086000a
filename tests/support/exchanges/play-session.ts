/** A server of sessions that plays an exchange back: what it tells and answers, and what it has to be told for that, in its order. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readBody } from "node:stream/consumers";
import { requestProblem } from "../session-server-schema/kept.js";
import type { Exchange, Step } from "./session-exchange.js";

export interface PlayedSession {
  readonly port: number;
  /** What was posted beside the exchange, otherwise than it was then, or not as opencode's own document says. */
  readonly problems: readonly string[];
  readonly close: () => Promise<void>;
}

export async function playSession({ exchange }: Pick<Exchange, "exchange">): Promise<PlayedSession> {
  const problems: string[] = [];
  let at = 0;
  let listener: ServerResponse | null = null;
  const tell = (): void => {
    for (let step = exchange[at]; step?.from === "server"; step = exchange[at]) {
      listener?.write(`data: ${JSON.stringify(step.event)}\n\n`);
      at += 1;
    }
  };
  const answer = (method: string, path: string, body: unknown): Pick<Own, "status" | "answer"> => {
    const step = exchange[at];
    const isNext =
      step?.from === "us" &&
      step.method === method &&
      step.path === path &&
      JSON.stringify(step.body) === JSON.stringify(body);
    if (!isNext) {
      problems.push(`${method} ${path} ${JSON.stringify(body)}`);
      return { status: 404, answer: null };
    }
    at += 1;
    setImmediate(tell);
    return step;
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "", url = "", headers } = request;
    const { pathname } = new URL(url, "http://127.0.0.1");
    const body = await readBody(request);
    const wrong = requestProblem({ method, url, body, contentType: headers["content-type"] });
    if (wrong !== null) problems.push(wrong);
    const send = (status: number, given: unknown): void =>
      void response.writeHead(status).end(JSON.stringify(given));
    if (headers.authorization === undefined) send(401, null);
    else if (pathname === "/event") {
      listener = response.writeHead(200, { "content-type": "text/event-stream" });
      response.flushHeaders();
    } else if (pathname === "/config") send(200, {});
    else if (pathname === "/session") send(200, { id: sessionIn(exchange), cost: 0 });
    else {
      const { status, answer: given } = answer(method, pathname, body === "" ? undefined : JSON.parse(body));
      send(status, given);
    }
  };
  const server = createServer((request, response) => void serve(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    problems,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

type Own = Extract<Step, { readonly from: "us" }>;

function sessionIn(exchange: readonly Step[]): string {
  const [first] = exchange;
  return first?.from === "us" ? (/\/session\/(\w+)\//.exec(first.path)?.[1] ?? "") : "";
}
