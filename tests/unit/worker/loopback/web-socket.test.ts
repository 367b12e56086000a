/**
 * A WebSocket on a tool's socket sends and receives texts, and closes when its handshake is wrong or without an end, or when its
 * server pings and reads nothing.
 */
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ManualClock } from "../../../../src/observe/clock.js";
import { UnixWebSocket } from "../../../../src/worker/loopback/web-socket.js";

let folder = "";
let server: Server;
let peer: Promise<Socket>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "atlas-ws-"));
  server = createServer();
  peer = new Promise((resolve) => server.once("connection", resolve));
  await new Promise<void>((resolve) => server.listen(join(folder, "s"), resolve));
});

afterEach(async () => {
  (await peer).destroy();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Client {
  readonly socket: UnixWebSocket;
  readonly clock: ManualClock;
  readonly texts: string[];
  readonly opened: Promise<void>;
  /** Why. */
  readonly gone: Promise<string>;
}

function client(): Client {
  const clock = new ManualClock();
  const texts: string[] = [];
  let [onOpen, onGone]: [() => void, (why: string) => void] = [() => undefined, () => undefined];
  const opened = new Promise<void>((resolve) => (onOpen = resolve));
  const gone = new Promise<string>((resolve) => (onGone = resolve));
  const onText = (text: string): void => void texts.push(text);
  const socket = new UnixWebSocket({ path: join(folder, "s"), clock, onOpen, onText, onGone });
  return { socket, clock, texts, opened, gone };
}

/** The client's greeting; then it is answered with these lines. */
async function greets(answer: (accept: string) => readonly string[]): Promise<Socket> {
  const socket = await peer;
  const greeting = await new Promise<string>((resolve) =>
    socket.once("data", (bytes: Buffer) => resolve(bytes.toString())),
  );
  const [, key = ""] = /Sec-WebSocket-Key: (\S+)/.exec(greeting) ?? [];
  const accept = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
  socket.write(`${answer(accept).join("\r\n")}\r\n\r\n`);
  return socket;
}

const welcome = (accept: string): string[] => [
  "HTTP/1.1 101 Switching Protocols",
  "upgrade: websocket",
  `sec-websocket-accept: ${accept}`,
];

describe("a WebSocket on a tool's socket", () => {
  it.each([
    ["not welcomed", () => ["HTTP/1.1 200 OK"]],
    ["welcomed by whoever has not read its key", () => welcome("AAAA")],
    [
      "told to compress",
      (accept: string) => [...welcome(accept), "Sec-WebSocket-Extensions: permessage-deflate"],
    ],
  ])("closes where it is %s", async (_, answer) => {
    const { gone } = client();
    await greets(answer);
    expect(await gone).toBe("it does not accept a WebSocket");
  });

  it("closes where its handshake is not answered, or has no end", async () => {
    const silent = client();
    await peer;
    silent.clock.advance(10_000);
    expect(await silent.gone).toBe("it did not answer");
    peer = new Promise((resolve) => server.once("connection", resolve));
    const endless = client();
    await greets(() => ["HTTP/1.1 101 Switching Protocols", `x: ${"x".repeat(9000)}`.repeat(2)]);
    expect(await endless.gone).toMatch(/does not accept a WebSocket|does not end/);
  });

  it("sends and receives texts, also ones that come with the handshake, and reports when the server closes", async () => {
    const { opened, texts, gone, socket } = client();
    const text = Buffer.concat([Buffer.from([0x81, 2]), Buffer.from("hi")]);
    const other = await greets((accept) => welcome(accept));
    other.write(text);
    await opened;
    expect(socket.send("hello")).toBe(true);
    other.write(Buffer.from([0x88, 0]));
    expect(await gone).toBe("it was closed by the server");
    expect(texts).toEqual(["hi"]);
    expect(socket.send("late")).toBe(false);
  });

  it("closes where the server pings again and again, and reads no answer", async () => {
    const { opened, gone } = client();
    const other = await greets(welcome);
    await opened;
    other.pause();
    const pings = Buffer.alloc(127 * 20_000);
    for (let at = 0; at < pings.length; at += 127) pings.set([0x89, 125], at);
    other.write(pings);
    expect(await gone).toBe("it does not read");
  });
});
