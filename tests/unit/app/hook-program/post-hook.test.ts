/**
 * The hook command posts the tool's bytes with the secret to its run, past any proxy, and prints the run's answer. Anything else
 * that answers gives no decision.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import http, { Agent, createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { postHook } from "../../../../src/app/hook-program/post-hook.js";

let folder = "";
const ends: (() => void)[] = [];

beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "hook-"))));
afterEach(() => {
  for (const end of ends.splice(0)) end();
  rmSync(folder, { recursive: true });
});

async function listenForAddress(
  serve: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(serve);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return fileWith(JSON.stringify({ port, secret: "s3cret" }));
}

function fileWith(content: string): string {
  const file = join(folder, "address.json");
  writeFileSync(file, content);
  return file;
}

const BODY = Buffer.from('{"hook_event_name":"Stop"}');

describe("a hook call that is posted to its run", () => {
  it("carries the tool's own bytes with the secret, and its answer is the run's own", async () => {
    const seen: unknown[] = [];
    const file = await listenForAddress((request, response) => {
      void text(request).then((body) => {
        seen.push(request.method, request.headers.authorization, body);
        response.end('{"yes":true}');
      });
    });
    expect(await postHook(file, BODY)).toBe('{"yes":true}');
    expect(seen).toEqual(["POST", "Bearer s3cret", String(BODY)]);
  });

  it("bypasses the agent of Node, which the environment can send through a proxy", async () => {
    const file = await listenForAddress((_request, response) => response.end('{"yes":true}'));
    const agent = http.globalAgent;
    class Proxied extends Agent {
      constructor() {
        super();
        Object.assign(this, {
          createConnection: () => {
            throw new Error("a proxy was asked");
          },
        });
      }
    }
    http.globalAgent = new Proxied();
    try {
      expect(await postHook(file, BODY)).toBe('{"yes":true}');
    } finally {
      http.globalAgent = agent;
    }
  });

  it.each([
    ["refused", (response: ServerResponse) => void response.writeHead(403).end("no")],
    ["cut off", (response: ServerResponse) => void response.destroy()],
    [
      "cut off in the middle",
      (response: ServerResponse) => {
        response.writeHead(200, { "content-length": 100 });
        response.write("{", () => response.destroy());
      },
    ],
  ])("that is %s is no decision", async (_, answer) => {
    const file = await listenForAddress((_request, response) => answer(response));
    expect(await postHook(file, BODY)).toBe("");
  });

  it.each([
    ["no file", null],
    ["no JSON", "{"],
    ["no address", "null"],
    ["no port that anybody listens at", '{"port":1,"secret":"x"}'],
  ])("is no decision with %s", async (_, content) => {
    expect(await postHook(content === null ? join(folder, "none") : fileWith(content), BODY)).toBe("");
  });
});
