/**
 * A connection to Slack is replaced when the service stops in the middle of a message or sends a broken address, and leads only
 * to the service.
 */
import { describe, expect, it } from "vitest";
import type { BrokenReply } from "../../../../support/http/broken-reply.js";
import { openSlack } from "../../../../contract/channel/slack-bench.js";
import { useLine } from "./line.js";

/** The first wait before a new try; a second in a row would be twice as long. */
const LOST_MS = 20;

/** The head of a text frame of this many bytes. */
const makeFrame = (length: number): Buffer => {
  const head = Buffer.from([0x81, 127, 0, 0, 0, 0, 0, 0, 0, 0]);
  head.writeBigUInt64BE(BigInt(length), 2);
  return head;
};

describe("a connection to Slack that delivers broken data", () => {
  const line = useLine();
  const { start, gateway, connected, health, received, until } = line;

  it.each([
    ["the first byte of a frame", Buffer.from([0x81])],
    ["half a frame", Buffer.concat([makeFrame(5_000), Buffer.alloc(100, 0x20)])],
    ["the first of two fragments", Buffer.from([0x01, 2, 0x7b, 0x7d])],
  ])("is replaced when it stops after %s", async (_, bytes) => {
    await start({ lostMs: LOST_MS });
    await connected();
    const [first] = gateway().connections;
    first?.socket.sendRaw(bytes);
    await until(() => gateway().connections.some((next) => next !== first), "another connection");
    expect(line.bench.host.retries).toEqual([LOST_MS]);
    await connected();
    line.bench.ara.say("still there?");
    await received(1);
  });

  it("ends when a message is longer than any of the service's", async () => {
    await start();
    await connected();
    const [first] = gateway().connections;
    first?.socket.sendRaw(makeFrame(2_000_000_000));
    await until(() => gateway().connections.some((next) => next !== first), "another connection");
    await connected();
  });

  it.each<[string, BrokenReply]>([
    ["cut", { breakAt: 60, then: "close" }],
    ["stopped in the middle", { breakAt: -1, then: "silence" }],
    ["a redirect", { raw: "HTTP/1.1 307 X\r\nlocation: http://127.0.0.1:9/\r\ncontent-length: 0\r\n\r\n" }],
    ["packed", { raw: "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 4\r\n\r\nabcd" }],
    ["of 1.5 GB", { raw: "HTTP/1.1 200 OK\r\ncontent-length: 1500000000\r\n\r\n" }],
  ])("is made although the answer with its address was %s", async (_, fault) => {
    line.bench = await openSlack({ lostMs: LOST_MS });
    line.bench.slack.failNext("apps.connections.open", fault);
    await line.bench.channel.start(line.bench.host);
    await health("degraded");
    await connected();
    expect(line.bench.host.retries).toEqual([LOST_MS]);
  });

  it("does not wait longer for an address when it was often replaced after a notice", async () => {
    await start({ lostMs: LOST_MS, retryMaxMs: 60_000 });
    await connected();
    for (let round = 0; round < 6; round += 1) {
      const standing = [...gateway().connections];
      line.bench.slack.failNext("apps.connections.open", { breakAt: 60, then: "close" });
      gateway().recycle("warning");
      await until(() => gateway().connections.some((next) => !standing.includes(next)), "another connection");
      await connected();
    }
    expect(line.bench.host.retries).toEqual(Array(6).fill(LOST_MS));
  });

  it("leads only to the service, whatever address the service names", async () => {
    line.bench = await openSlack();
    const url = "ws://localhost:8123/link/?ticket=x";
    const body = JSON.stringify({ ok: true, url });
    line.bench.slack.failNext("apps.connections.open", {
      raw: `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    });
    await line.bench.channel.start(line.bench.host);
    await health("degraded");
    await connected();
    expect(line.bench.slack.listRequests("apps.connections.open").length).toBeGreaterThan(1);
  });
});
