/**
 * A WebSocket on a tool's socket sends and receives texts, and closes when its handshake is wrong or without an end, when a message
 * is too long, or when its server reads nothing.
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

let greeting = "";

/** Reads the client's greeting, then answers it with these lines. */
async function greets(answer: (accept: string) => readonly string[]): Promise<Socket> {
  const socket = await peer;
  socket.on("error", () => undefined);
  greeting = await new Promise<string>((resolve) =>
    socket.once("data", (bytes: Buffer) => resolve(bytes.toString())),
  );
  const [, key = ""] = /Sec-WebSocket-Key: (\S+)/i.exec(greeting) ?? [];
  const accept = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
  socket.write(`${answer(accept).join("\r\n")}\r\n\r\n`);
  return socket;
}

const welcome = (accept: string): string[] => [
  "HTTP/1.1 101 Switching Protocols",
  "connection: upgrade",
  "upgrade: websocket",
  `sec-websocket-accept: ${accept}`,
];

describe("a WebSocket on a tool's socket", () => {
  it.each([
    ["is not welcomed", () => ["HTTP/1.1 200 OK"]],
    ["is welcomed by whoever has not read its key", () => welcome("AAAA")],
    [
      "gets a handshake that is too long",
      () => ["HTTP/1.1 101 Switching Protocols", `x: ${"x".repeat(20_000)}`],
    ],
  ])("closes where it %s", async (_, answer) => {
    const { gone } = client();
    await greets(answer);
    expect(await gone).toMatch(/./);
  });

  it("closes where its handshake is not answered", async () => {
    const silent = client();
    await peer;
    silent.clock.advance(10_000);
    expect(await silent.gone).toBe("it did not answer");
  });

  it("names no web page as its origin: servers refuse those", async () => {
    const { opened } = client();
    await greets(welcome);
    await opened;
    expect(greeting).not.toMatch(/^origin:/im);
  });

  it("sends and receives texts, also ones that come with the handshake, and reports when the server closes", async () => {
    const { opened, texts, gone, socket } = client();
    const text = Buffer.concat([Buffer.from([0x81, 2]), Buffer.from("hi")]);
    const other = await greets(welcome);
    other.write(text);
    await opened;
    expect(socket.send("hello")).toBe(true);
    other.end(Buffer.from([0x88, 0]));
    expect(await gone).toBe("it was closed");
    expect(texts).toEqual(["hi"]);
    expect(socket.send("late")).toBe(false);
  });

  it.each([
    ["a message that is too long, before its bytes are here", [0x81, 127, 0, 0, 0, 0, 3, 0, 0, 0]],
    ["a message that is no text", [0x82, 1, 65]],
  ])("closes where the server sends %s", async (_, bytes) => {
    const { opened, gone, texts } = client();
    const other = await greets(welcome);
    await opened;
    other.write(Buffer.from(bytes));
    expect(await gone).toMatch(/./);
    expect(texts).toEqual([]);
  });

  it("closes where the server reads nothing of what is sent", async () => {
    const { opened, gone, socket } = client();
    const other = await greets(welcome);
    await opened;
    other.pause();
    while (socket.send("x".repeat(100_000)));
    expect(await gone).toBe("it does not read");
  });
});
