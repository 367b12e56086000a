/** The HTTP client of channels bounds the time and the size of every answer, and fails at once when an answer is cut at any byte. */
import { gzipSync } from "node:zlib";
import type { Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { ManualClock } from "../../../src/observe/clock.js";
import { ANSWER_MS_MAX, HttpClient, STALLED_MS, type HttpReply } from "../../../src/sdk/http.js";
import { chunkedAnswer, RawServer, wholeAnswer } from "../../support/http/raw-server.js";

const BODY = JSON.stringify({ ok: true, result: [{ update_id: 7, text: "yes" }] });
const LIMIT = 4096;

describe("an HTTP call to a service that is broken or hostile", () => {
  const servers: RawServer[] = [];

  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.stop()));
  });

  async function serve(answer: (socket: Socket, request: number) => void): Promise<RawServer> {
    const server = await RawServer.start(answer);
    servers.push(server);
    return server;
  }

  function open(clock = new ManualClock()): {
    clock: ManualClock;
    post: (url: URL, stop?: AbortSignal) => Promise<HttpReply>;
  } {
    const client = new HttpClient(clock);
    const post = (url: URL, stop = new AbortController().signal): Promise<HttpReply> =>
      client.post({ url, headers: {}, body: "{}", bodyBytesMax: LIMIT, stop });
    return { clock, post };
  }

  it.each([
    ["with its length", wholeAnswer(BODY)],
    ["in chunks", chunkedAnswer(BODY)],
  ])("fails at once when its answer is cut at any byte: %s", async (_, answer) => {
    const server = await serve((socket, request) => socket.end(answer.subarray(0, request - 1)));
    const { post } = open();
    for (let sent = 0; sent < answer.length; sent += 1)
      await expect(post(server.url), `${sent} bytes`).rejects.toThrow();
    await expect(post(server.url)).resolves.toMatchObject({ status: 200, body: Buffer.from(BODY) });
  });

  it.each([1, 12, 40, wholeAnswer(BODY).length - 1])(
    "does not wait for the rest of an answer that stopped after %i bytes",
    async (sent) => {
      const server = await serve((socket) => socket.write(wholeAnswer(BODY).subarray(0, sent)));
      const { clock, post } = open();
      const failed = expect(post(server.url)).rejects.toThrow("the answer stopped in the middle");
      await until(() => clock.pending > 0);
      clock.advance(STALLED_MS);
      await failed;
    },
  );

  it("waits as long as its caller likes for an answer that has not begun", async () => {
    let sockets: Socket[] = [];
    const server = await serve((socket) => (sockets = [...sockets, socket]));
    const { clock, post } = open();
    const reply = post(server.url);
    await until(() => sockets.length === 1);
    clock.advance(60_000);
    sockets[0]?.write("HTTP/1.1 102 Processing\r\n\r\n");
    await until(() => server.sockets[0]?.bytesWritten !== 0);
    await turns();
    clock.advance(60_000);
    sockets[0]?.write(wholeAnswer(BODY));
    expect((await reply).status).toBe(200);
  });

  it("ends an answer that comes a byte at a time", async () => {
    let drip: Socket | null = null;
    const server = await serve((socket) => void (drip = socket).write("H"));
    const { clock, post } = open();
    const failed = expect(post(server.url)).rejects.toThrow("the answer took too long");
    await until(() => clock.pending > 0);
    const rest = wholeAnswer(BODY).subarray(1);
    for (let at = 0; at * (STALLED_MS / 2) <= ANSWER_MS_MAX; at += 1) {
      (drip as Socket | null)?.write(rest.subarray(at, at + 1));
      await turns();
      clock.advance(STALLED_MS / 2);
    }
    await failed;
  });

  it.each([301, 302, 303, 307, 308])("follows no redirect: %i", async (status) => {
    const elsewhere = await serve((socket) => socket.end(wholeAnswer(BODY)));
    const server = await serve((socket) =>
      socket.end(
        `HTTP/1.1 ${status} Over there\r\nlocation: ${elsewhere.url.href}\r\ncontent-length: 0\r\n\r\n`,
      ),
    );
    await expect(open().post(server.url)).rejects.toThrow("a redirect, which is not followed");
    expect(elsewhere.received).toBe("");
  });

  it("reads no more of an answer than it may be long", async () => {
    const announced = await serve((socket) =>
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1500000000\r\n\r\n"),
    );
    await expect(open().post(announced.url)).rejects.toThrow(`the answer is longer than ${LIMIT} bytes`);
    const endless = await serve((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
      const pour = (): void => {
        while (!socket.destroyed && socket.write(`3e8\r\n${"x".repeat(1000)}\r\n`));
      };
      socket.on("drain", pour);
      pour();
    });
    await expect(open().post(endless.url)).rejects.toThrow(`the answer is longer than ${LIMIT} bytes`);
    await until(() => endless.sockets[0]?.destroyed === true);
  });

  it("reads no answer whose framing alone would flood it", async () => {
    const server = await serve((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
      for (let at = 0; at < 20_000; at += 1) socket.write("1\r\nx\r\n");
    });
    await expect(open().post(server.url)).rejects.toThrow();
  });

  it("decompresses no answer", async () => {
    const bomb = gzipSync(Buffer.alloc(8 * 1024 * 1024));
    const server = await serve((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
      socket.end(bomb);
    });
    await expect(open().post(server.url)).rejects.toThrow("compressed, which was not asked for");
    expect(server.received).toContain("accept-encoding: identity");
  });

  it("uses a connection again after a whole answer, and none after half a one", async () => {
    const server = await serve((socket, request) => {
      if (request === 3) socket.write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf");
      else socket.write(wholeAnswer(BODY));
    });
    const { clock, post } = open();
    await post(server.url);
    await post(server.url);
    expect(server.sockets).toHaveLength(1);
    expect(clock.pending).toBe(0);
    const failed = expect(post(server.url)).rejects.toThrow();
    await until(() => clock.pending > 0);
    clock.advance(STALLED_MS);
    await failed;
    await post(server.url);
    expect(server.sockets).toHaveLength(2);
  });

  it("ends when its caller ends it, and leaves nothing behind", async () => {
    const server = await serve(() => undefined);
    const { clock, post } = open();
    const stop = new AbortController();
    const failed = expect(post(server.url, stop.signal)).rejects.toThrow("no response in time");
    await until(() => server.sockets.length === 1);
    stop.abort();
    await failed;
    expect(clock.pending).toBe(0);
    await expect(post(server.url, stop.signal)).rejects.toThrow("no response in time");
  });
});

async function until(probe: () => boolean): Promise<void> {
  while (!probe()) await new Promise((resolve) => setTimeout(resolve, 1));
}

/** What is on its way over the loopback arrives. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setTimeout(resolve, 1));
}
