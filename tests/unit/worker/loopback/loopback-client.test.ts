/** The client of a tool's own server bypasses proxies, bounds events and answers, and sends its password only to that server. */
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTcpServer, type AddressInfo } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { JSON_VALUES_MAX } from "../../../../src/model/data/json-cost.js";
import { JSON_LEVELS_MAX } from "../../../../src/model/data/nesting.js";
import { ManualClock } from "../../../../src/observe/clock.js";
import { ANSWER_WITHIN_MS, LoopbackClient } from "../../../../src/worker/loopback/loopback-client.js";

const LOGIN = { user: "me", password: "s3cret-of-this-run" };
const open: { readonly client: LoopbackClient; readonly server: Server }[] = [];
afterEach(async () => {
  for (const { client, server } of open.splice(0)) {
    client.close();
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  }
});

async function startClient(
  listener: RequestListener,
): Promise<{ readonly client: LoopbackClient; readonly clock: ManualClock }> {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const clock = new ManualClock();
  const client = new LoopbackClient({ port: (server.address() as AddressInfo).port, login: LOGIN, clock });
  open.push({ client, server });
  return { client, clock };
}

/** What a listener is told of a stream that is written in these pieces. */
async function told(pieces: readonly (string | Buffer)[]): Promise<unknown[]> {
  const { client } = await startClient((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const piece of pieces) response.write(piece);
    response.end();
  });
  const seen: unknown[] = [];
  const ended = new Promise<void>((resolve) => {
    void client.openEvents("/event", {
      onEvent: (event) => seen.push(event),
      onTooDeep: () => seen.push("too deep"),
      onTooLong: () => seen.push("too long"),
      onEnd: resolve,
    });
  });
  await ended;
  return seen;
}

describe("a client of a tool's own server", () => {
  it("names itself in a header, unless it asks as a stranger, and reads what is answered", async () => {
    const seen: unknown[] = [];
    const { client } = await startClient((request, response) => {
      seen.push([request.method, request.url, request.headers.authorization]);
      response.writeHead(200).end('{"fine":true}');
    });
    const basic = `Basic ${Buffer.from(`${LOGIN.user}:${LOGIN.password}`).toString("base64")}`;
    expect(await client.request("POST", "/a?b=c", { d: 1 })).toEqual({ status: 200, body: { fine: true } });
    await client.request("GET", "/stranger", undefined, null);
    expect(seen).toEqual([
      ["POST", "/a?b=c", basic],
      ["GET", "/stranger", undefined],
    ]);
  });

  it("goes past every proxy that the environment names", async () => {
    vi.stubEnv("http_proxy", "http://127.0.0.1:9");
    vi.stubEnv("NODE_USE_ENV_PROXY", "1");
    const { client } = await startClient((_, response) => void response.writeHead(204).end());
    expect(await client.request("GET", "/")).toEqual({ status: 204, body: null });
    vi.unstubAllEnvs();
  });

  it("gives up a server that does not answer, or closes the connection", async () => {
    const { client, clock } = await startClient((request) => {
      if (request.url === "/hangs-up") request.destroy();
      else clock.advance(ANSWER_WITHIN_MS);
    });
    await expect(client.request("GET", "/silent")).rejects.toThrow("no answer");
    await expect(client.request("GET", "/hangs-up")).rejects.toThrow();
    await expect(
      client.openEvents("/silent", {
        onEvent: vi.fn(),
        onTooDeep: vi.fn(),
        onTooLong: vi.fn(),
        onEnd: vi.fn(),
      }),
    ).rejects.toThrow("no answer");
  });

  it("takes no stream of events from a server that refuses it", async () => {
    const { client } = await startClient((_, response) => void response.writeHead(401).end());
    const refused = client.openEvents("/event", {
      onEvent: vi.fn(),
      onTooDeep: vi.fn(),
      onTooLong: vi.fn(),
      onEnd: vi.fn(),
    });
    await expect(refused).rejects.toThrow();
  });

  it("reads events however they are cut, and skips other data", async () => {
    const stream =
      'data: {"n":1,"t":"ä"}\r\n\r\n: a comment\n\nevent: x\ndata: {"n":\ndata: 2}\n\ndata: no JSON\n\n';
    const bytes = Buffer.from(stream);
    const expected = [{ n: 1, t: "ä" }, { n: 2 }];
    expect(await told([stream])).toEqual(expected);
    expect(await told(Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)))).toEqual(expected);
  });

  it("reads five million characters in one event", async () => {
    const text = "b".repeat(5_000_000);
    expect(await told([`data: ${JSON.stringify({ text })}\n\n`, 'data: {"n":1}\n\n'])).toEqual([
      { text },
      { n: 1 },
    ]);
  });

  it("passes on an event that is nested too deeply, so that it can be refused", async () => {
    const deep = `${"[".repeat(JSON_LEVELS_MAX + 1)}${"]".repeat(JSON_LEVELS_MAX + 1)}`;
    expect(await told([`data: ${deep}\n\n`, 'data: {"n":1}\n\n'])).toEqual(["too deep", { n: 1 }]);
    const { client } = await startClient((_, response) => void response.end(deep));
    expect(await client.request("GET", "/")).toEqual({ status: 200, body: null });
  });

  it("parses neither an event nor an answer with more values than are parsed in time", async () => {
    const costly = `[${"[],".repeat(JSON_VALUES_MAX)}[]]`;
    expect(await told([`data: ${costly}\n\n`, 'data: {"n":1}\n\n'])).toEqual(["too long", { n: 1 }]);
    const { client } = await startClient((_, response) => void response.end(costly));
    expect(await client.request("GET", "/")).toEqual({ status: 200, body: null });
  });

  it("bounds an event as a line, however many lines it is made of, and reads on after it", async () => {
    const line = `data: ${"b".repeat(1024 * 1024)}\n`;
    const lines = Array<string>(40).fill(line);
    expect(await told([...lines, "\n", 'data: {"n":1}\n\n'])).toEqual(["too long", { n: 1 }]);
    expect(await told(lines)).toEqual(["too long"]);
  });

  it("sends neither name nor password to a port of another process", async () => {
    let heard = "";
    let other = true;
    const server = createTcpServer((socket) => {
      socket.on("error", () => undefined);
      socket.on("data", (chunk: Buffer) => {
        heard += chunk.toString();
        socket.write("HTTP/1.1 204 Fine\r\n\r\n");
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const asked: boolean[] = [];
    const client = new LoopbackClient({
      port: (server.address() as AddressInfo).port,
      login: LOGIN,
      clock: new ManualClock(),
      isPeer: (socket) => {
        asked.push(socket.destroyed);
        return other ? Promise.resolve(false) : Promise.resolve(true);
      },
    });
    try {
      await expect(client.request("POST", "/", { reply: "once" })).rejects.toThrow(
        "another process is at the other end",
      );
      const listening = client.openEvents("/event", {
        onEvent: vi.fn(),
        onTooDeep: vi.fn(),
        onTooLong: vi.fn(),
        onEnd: vi.fn(),
      });
      await expect(listening).rejects.toThrow("another process is at the other end");
      expect(heard).toBe("");
      other = false;
      expect(await client.request("GET", "/")).toEqual({ status: 204, body: null });
      expect(asked).toEqual([false, false, false]);
    } finally {
      client.close();
      server.close();
    }
  });

  it("removes its password from everything that it passes on", async () => {
    expect(await told([`data: {"text":"it is ${LOGIN.password}!"}\n\n`])).toEqual([{ text: "it is *****!" }]);
    const { client } = await startClient((_, response) => void response.end(JSON.stringify(LOGIN)));
    expect((await client.request("GET", "/")).body).toEqual({ user: "me", password: "*****" });
  });
});
