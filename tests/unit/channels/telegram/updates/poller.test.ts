/**
 * The poller stores every update once, before it advances, and waits and recovers by itself after every failure, which is a state
 * with advice.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { TelegramTiming } from "../../../../../channels/telegram/limits.js";
import type { ChannelHealth } from "../../../../../src/sdk/channel.js";
import { openTelegram, type TelegramBench } from "../../../../contract/channel/telegram-bench.js";
import { textNotice } from "../../../../../src/compat/testing/notices.js";
import { RecordingHost } from "../../../../../src/compat/testing/recording-host.js";
import { RawServer, wholeAnswer } from "../../../../support/http/raw-server.js";
import type { Fault } from "../../../../support/telegram/emulator.js";

const OFFSET = "offset:7000001";
/** A wait that only `emptyPollMs` asks for, and that is not over before the test is. */
const PAUSE_MS = 77_777;

describe("polling Telegram", () => {
  let bench: TelegramBench;

  afterEach(() => bench.stop());

  async function start(timing: Partial<TelegramTiming> = {}): Promise<void> {
    bench = await openTelegram(timing);
    await bench.channel.start(bench.host);
  }

  const connected = (): Promise<void> => bench.until(() => bench.host.state === "connected", "a connection");
  const received = (count: number): Promise<void> =>
    bench.until(() => bench.host.updates.size >= count, `${count} updates`);
  const keys = (): string[] => [...bench.host.updates.keys()];
  const seen = (part: Partial<ChannelHealth>): Promise<void> =>
    bench.until(() => bench.host.health.some((health) => matches(health, part)), JSON.stringify(part));
  const polls = (): number => bench.telegram.listRequests("getUpdates").length;
  const paused = (): Promise<void> =>
    bench.until(() => bench.host.waits.includes(PAUSE_MS), "the wait between two polls");

  describe("over a working connection", () => {
    beforeEach(async () => {
      await start();
      await connected();
    });

    it("asks for messages, their changes and taps only, so that the service remembers nothing else", () => {
      expect(bench.telegram.listRequests("getUpdates").at(-1)?.payload["allowed_updates"]).toEqual([
        "message",
        "edited_message",
        "callback_query",
      ]);
    });

    it("waits in the poll instead of asking again and again", async () => {
      await bench.until(() => bench.telegram.world.updates.polling, "a waiting poll");
      expect(polls()).toBe(2);
      expect(bench.telegram.listRequests("getUpdates").at(-1)?.payload["timeout"]).toBe(50);
    });

    it("stores every update of a batch before it advances, once, past the highest", async () => {
      bench.host.beforeStore = () => {
        // The rest arrives while the first is being stored, and makes one batch.
        bench.host.beforeStore = () => Promise.resolve();
        ["b", "c", "d"].forEach((text) => bench.ara.send(text));
        bench.telegram.reverseNextBatch();
        return Promise.resolve();
      };
      bench.ara.send("a");
      await received(4);
      await bench.until(() => bench.host.settings.get(OFFSET) === "500000005", "the offset to follow");
      expect(bench.host.steps.filter((step) => !step.startsWith("set commands"))).toEqual([
        "store 7000001:500000001",
        `set ${OFFSET}`,
        "store 7000001:500000004",
        "store 7000001:500000003",
        "store 7000001:500000002",
        `set ${OFFSET}`,
      ]);
    });

    it("goes on after a restart where the stored offset ends", async () => {
      bench.ara.send("one");
      await bench.until(() => bench.host.settings.has(OFFSET), "the offset");
      await bench.channel.stop();
      bench.ara.send("two");
      await bench.again().start(bench.host);
      await received(2);
      expect(bench.host.steps.filter((step) => step.startsWith("store"))).toHaveLength(2);
    });

    it("follows when the service restarts its numbers after an idle week", async () => {
      bench.ara.send("before");
      await bench.until(() => bench.host.settings.has(OFFSET), "the offset");
      await bench.until(() => bench.telegram.world.updates.polling, "a waiting poll");
      bench.telegram.world.updates.renumber(4_000);
      bench.ara.send("after");
      await received(2);
      expect(keys()).toEqual(["7000001:500000001", "7000001:4000"]);
      await bench.until(() => bench.host.settings.get(OFFSET) === "4001", "the offset to follow");
      await bench.until(
        () => bench.telegram.world.updates.pending.length === 0,
        "the update to be confirmed",
      );
    });

    it("loses nothing when the response with an update is lost", async () => {
      await bench.until(() => bench.telegram.world.updates.polling, "a waiting poll");
      bench.telegram.failNext("getUpdates", "drop-after-effect", 2);
      bench.ara.send("one");
      bench.ara.send("two");
      await received(2);
      expect(bench.telegram.faultsLeft).toBe(0);
    });

    it("stores two taps of a person twice, and an update that the network repeated once", async () => {
      const ref = await bench.channel.deliver(textNotice(bench.place, "hi"));
      const tap = bench.ara.pressToken(Number(ref["messageId"]), "tok");
      await received(1);
      bench.telegram.repeatUpdate(tap.updateId ?? 0, "same");
      bench.telegram.repeatUpdate(tap.updateId ?? 0, "new");
      await received(2);
      expect(keys()).toEqual(["7000001:500000001", "7000001:500000002"]);
    });
  });

  describe("when the service's answers are broken", () => {
    it.each<[string, Fault]>([
      ["cut after its first byte", { breakAt: 1, then: "close" }],
      ["cut in its middle", { breakAt: 150, then: "close" }],
      ["cut before its last byte", { breakAt: -1, then: "close" }],
      ["stopped in its head", { breakAt: 20, then: "silence" }],
      ["stopped before its last byte", { breakAt: -1, then: "silence" }],
    ])("a tap is heard although the poll's answer is %s", async (_, fault) => {
      await start({ lostMs: 20 });
      await connected();
      await bench.until(() => bench.telegram.world.updates.polling, "a waiting poll");
      // It takes hold of the next answer, which is to the poll that waits.
      bench.telegram.listRequests("getUpdates").at(-1)!.fault = fault;
      bench.ara.send("stop");
      await received(1);
      expect(bench.host.retries).toEqual([20]);
      await connected();
    });

    it("a tap is heard after the last of many answers that were cut, as no wait grows long", async () => {
      bench = await openTelegram({ lostMs: 10, lostMaxMs: 40, retryMaxMs: 60_000 });
      bench.telegram.failNext("getUpdates", { breakAt: -1, then: "close" }, 14);
      bench.ara.send("stop");
      await bench.channel.start(bench.host);
      await received(1);
      await connected();
      expect(bench.host.retries).toEqual([10, 20, ...Array<number>(12).fill(40)]);
    });

    it("no redirect is followed, so that the token in the address stays with the service", async () => {
      const elsewhere = await RawServer.start((socket) =>
        socket.end(wholeAnswer('{"ok":true,"result":[{"update_id":9}]}')),
      );
      const location = `location: ${elsewhere.url.href}`;
      bench = await openTelegram();
      bench.telegram.failNext("getUpdates", {
        raw: `HTTP/1.1 307 Elsewhere\r\n${location}\r\ncontent-length: 0\r\n\r\n`,
      });
      await bench.channel.start(bench.host);
      await seen({ reason: "the service answers with a redirect, which is not followed" });
      await connected();
      expect(elsewhere.received).toBe("");
      expect(bench.host.updates.size).toBe(0);
      await elsewhere.stop();
    });

    it("asks for fewer updates at once as long as an answer does not come through", async () => {
      bench = await openTelegram();
      bench.telegram.failNext("getUpdates", { breakAt: -1, then: "close" }, 3);
      await bench.channel.start(bench.host);
      await connected();
      const limits = bench.telegram.listRequests("getUpdates").map(({ payload }) => payload["limit"]);
      expect(limits.slice(0, 4)).toEqual([100, 10, 1, 1]);
      await bench.until(() => bench.telegram.world.updates.polling, "a waiting poll");
      expect(bench.telegram.listRequests("getUpdates").at(-1)?.payload["limit"]).toBe(100);
    });

    it("repeats no control sequence of the service's texts", async () => {
      bench = await openTelegram();
      const description = `Unauthorized\u001b]0;owned\u0007\nAll is well. ${"x".repeat(5_000)}`;
      bench.telegram.failNext("getUpdates", { status: 401, description });
      await bench.channel.start(bench.host);
      await seen({ state: "failed" });
      const { reason } = bench.host.health.find(({ state }) => state === "failed") as { reason: string };
      expect(reason).toMatch(/^401 Unauthorized\ufffd\]0;owned\ufffd\ufffdAll is well\. x+…$/);
      expect(reason.length).toBeLessThan(250);
    });
  });

  describe("when something is wrong", () => {
    it("waits between polls where the server answers long polls at once", async () => {
      bench = await openTelegram({ pollSeconds: 0.001, emptyPollMs: PAUSE_MS });
      await bench.channel.start(bench.host);
      await paused();
      expect(polls()).toBe(2);
    });

    it("does not wait between batches of which nothing is kept: a tap may come behind them", async () => {
      bench = await openTelegram({ emptyPollMs: 60_000 });
      bench.host.keeps = (raw) => JSON.stringify(raw).includes("the tap");
      await bench.channel.start(bench.host);
      await connected();
      for (let sent = 0; sent < 350; sent += 1) bench.ara.send("let me in");
      bench.ara.send("the tap");
      await received(1);
    });

    it("waits where a service hands out the same updates again and again", async () => {
      bench = await openTelegram({ emptyPollMs: PAUSE_MS });
      await bench.channel.start(bench.host);
      await connected();
      bench.ara.send("once");
      await received(1);
      await bench.until(() => polls() >= 3, "the next poll");
      bench.telegram.repeatUpdate(500_000_001);
      await paused();
      expect(polls()).toBe(3);
    });

    it("takes over when another poller ends, and says meanwhile that there is one", async () => {
      await start({ conflictQuietMs: 100, pollSeconds: 1 });
      await connected();
      const other = new RecordingHost();
      const rival = bench.open(other, { conflictMs: 60_000, conflictMaxMs: 60_000 });
      await rival.start(other);
      await seen({ state: "degraded", reason: "another AtlasBridge or program polls this bot" });
      // Ours came back and put the rival to sleep; the rival leaves for good.
      await rival.stop();
      bench.ara.send("after");
      await received(1);
      await bench.until(() => bench.host.state === "connected", "the take-over");
      expect(other.updates.size).toBe(0);
    });

    it("removes a webhook that stands in the way, once, and keeps what waits", async () => {
      bench = await openTelegram();
      bench.telegram.world.updates.webhook = "https://example.org/hook";
      bench.ara.send("waiting");
      await bench.channel.start(bench.host);
      await received(1);
      expect(bench.telegram.listRequests("deleteWebhook").map(({ payload }) => payload)).toEqual([
        { drop_pending_updates: false },
      ]);
      bench.telegram.world.updates.webhook = "https://example.org/hook";
      await seen({ state: "degraded", reason: "the bot has a webhook" });
      expect(bench.telegram.listRequests("deleteWebhook")).toHaveLength(1);
    });

    it("fails with advice when the token is refused, and comes back when it is not any more", async () => {
      bench = await openTelegram();
      bench.telegram.failNext("getUpdates", { status: 401, description: "Unauthorized" }, 2);
      await bench.channel.start(bench.host);
      await seen({ state: "failed", reason: "401 Unauthorized" });
      await connected();
    });

    it("waits as long as the service asks", async () => {
      bench = await openTelegram();
      bench.telegram.failNext("getUpdates", { status: 429, retryAfter: 1 });
      await bench.channel.start(bench.host);
      await connected();
      expect(bench.host.retries).toEqual([1_000]);
    });

    it("takes an empty reply for no updates", async () => {
      bench = await openTelegram();
      bench.telegram.failNext("getUpdates", "hollow", 3);
      bench.ara.send("patience");
      await bench.channel.start(bench.host);
      await received(1);
    });

    it.each(["drop", "garbage", { status: 502 }, { status: 500 }, { status: 400 }] as const)(
      "recovers by itself from %j",
      async (fault) => {
        bench = await openTelegram();
        bench.telegram.failNext("getUpdates", fault, 3);
        bench.ara.send("patience");
        await bench.channel.start(bench.host);
        await received(1);
        expect(bench.host.health[1]).toMatchObject({ state: "degraded" });
        await connected();
      },
    );

    it("gives up a poll on a dead socket", async () => {
      bench = await openTelegram({ pollGraceMs: 100 });
      bench.telegram.failNext("getUpdates", "hang");
      bench.ara.send("patience");
      await bench.channel.start(bench.host);
      await received(1);
      expect(bench.host.health).toContainEqual(expect.objectContaining({ reason: "no response in time" }));
    });

    it("skips invalid updates, and takes the rest", async () => {
      await start();
      await connected();
      bench.telegram.world.updates.malform([7, null, {}, { update_id: "x" }, { update_id: -1 }]);
      bench.ara.send("fine");
      await received(1);
      expect(keys()).toEqual(["7000001:500000001"]);
    });

    it("does not spin when it gets only invalid updates", async () => {
      await start({ emptyPollMs: PAUSE_MS });
      await bench.until(() => bench.telegram.world.updates.polling, "a waiting poll");
      bench.telegram.world.updates.malform([7]);
      await paused();
      expect(polls()).toBe(2);
    });

    it("begins at the start when the stored offset is damaged", async () => {
      bench = await openTelegram();
      bench.host.settings.set(OFFSET, "NaN, sorry");
      bench.ara.send("hello");
      await bench.channel.start(bench.host);
      await received(1);
    });

    it("tries again when the offset cannot be written, without storing twice", async () => {
      await start();
      await connected();
      let refusals = 0;
      bench.host.beforeSet = () => {
        refusals += 1;
        if (refusals < 3) throw new Error("disk full");
      };
      bench.ara.send("hello");
      await bench.until(() => bench.host.settings.has(OFFSET), "the offset");
      expect(bench.host.updates.size).toBe(1);
      expect(bench.host.health).toContainEqual(
        expect.objectContaining({ reason: "an update could not be stored" }),
      );
    });

    it("polls on although the host takes no report", async () => {
      bench = await openTelegram({ retryMaxMs: 10 });
      let refusals = 0;
      bench.host.report = ({ state }) => {
        if (state !== "connected") return;
        refusals += 1;
        throw new Error("the database is closed");
      };
      await bench.channel.start(bench.host);
      bench.ara.send("hello");
      await received(1);
      await bench.until(() => refusals >= 3, "more polls");
    });

    it("stops at once while it waits for its next try", async () => {
      bench = await openTelegram({ retryMs: 60_000, retryMaxMs: 60_000 });
      bench.telegram.failNext("getUpdates", { status: 502 });
      await bench.channel.start(bench.host);
      await seen({ state: "degraded" });
      await bench.channel.stop();
      expect(bench.host.state).toBe("stopped");
    });
  });
});

function matches(health: ChannelHealth, part: Partial<ChannelHealth>): boolean {
  return Object.entries(part).every(([key, value]) => (health as Record<string, unknown>)[key] === value);
}
