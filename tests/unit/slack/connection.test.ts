import { afterEach, describe, expect, it } from "vitest";
import type { Timing } from "../../../channels/slack/limits.js";
import type { ChannelHealth, DeliveryRef } from "../../../src/sdk/channel.js";
import { promptNotice } from "../../contract/channel/notices.js";
import { RecordingHost } from "../../contract/channel/recording-host.js";
import { openSlack, type SlackBench } from "../../contract/channel/slack-bench.js";
import type { EmulatorOptions } from "../../support/slack/emulator.js";
import { RawClient } from "../../support/slack/raw-client.js";

/** What is under way is not waited for. Far beyond what a busy machine takes, far below any call's own limit. */
const STOPS_WITHIN_MS = 5_000;

describe("the connection to Slack", () => {
  let bench: SlackBench;
  const rivals: RawClient[] = [];

  afterEach(async () => {
    for (const rival of rivals.splice(0)) rival.destroy();
    await bench.stop();
  });

  async function start(timing: Partial<Timing> = {}, options: EmulatorOptions = {}): Promise<void> {
    bench = await openSlack(timing, options);
    await bench.channel.start(bench.host);
  }

  const gateway = () => bench.slack.world.gateway;
  const connections = (): number => gateway().connections.length;
  const until = (probe: () => boolean, what: string): Promise<void> => bench.until(probe, what);
  const connected = (): Promise<void> => until(() => bench.host.state === "connected", "a connection");
  const states = (): ChannelHealth["state"][] => bench.host.health.map(({ state }) => state);
  const health = (state: string): Promise<void> => until(() => bench.host.state === state, state);
  const last = (): ChannelHealth | undefined => bench.host.health.at(-1);
  const received = (count: number): Promise<void> =>
    until(() => bench.host.updates.size >= count, `${count} updates`);
  const deliver = (): Promise<DeliveryRef> => bench.channel.deliver(promptNotice(bench.place));
  const texts = (): unknown[] =>
    bench.host.meanings(bench.channel).flatMap((meaning) => (meaning?.kind === "text" ? [meaning.text] : []));

  /** Another program on the same app. */
  async function rival(): Promise<RawClient> {
    const response = await fetch(`${bench.slack.apiUrl}apps.connections.open`, {
      method: "POST",
      headers: { authorization: `Bearer ${bench.slack.appToken}` },
    });
    const { url } = (await response.json()) as { url: string };
    const client = await RawClient.connect(url);
    rivals.push(client);
    await until(() => client.messages.length > 0 || connections() > 0, "the rival");
    return client;
  }

  it("asks who it is, opens one connection, and says so", async () => {
    await start();
    await connected();
    expect(states()).toEqual(["starting", "connected"]);
    expect(bench.slack.requests.map(({ method }) => method)).toEqual(["auth.test", "apps.connections.open"]);
    expect(connections()).toBe(1);
  });

  it("starts once, however often it is told", async () => {
    await start();
    await bench.channel.start(bench.host);
    await connected();
    expect(connections()).toBe(1);
  });

  it("replaces a connection before it is closed when it was warned, and nobody notices", async () => {
    await start({}, { timing: { recycleMs: 5_000 } });
    await connected();
    const [first] = gateway().connections;
    gateway().recycle("warning");
    await until(() => connections() === 2 || gateway().connections[0] !== first, "a second connection");
    await until(() => connections() === 1 && gateway().connections[0] !== first, "the first to be closed");
    bench.ara.say("still there?");
    await received(1);
    expect(states()).toEqual(["starting", "connected"]);
  });

  it("is back at once after the service refreshed it", async () => {
    await start();
    await connected();
    gateway().recycle("refresh_requested");
    await until(() => gateway().connections.some(({ leaving }) => !leaving), "another connection");
    expect(await bench.ara.press(bench.post(await deliver()), 0).ack).toMatchObject({ kind: "acked" });
    expect(states()).toEqual(["starting", "connected"]);
  });

  it("loses no event over ten refreshes in a row", async () => {
    await start({}, { timing: { eventRetryMs: [20, 20, 20, 20] } });
    await connected();
    for (let round = 1; round <= 10; round += 1) {
      bench.ara.say(`round ${round}`);
      gateway().recycle("refresh_requested");
      await until(() => gateway().connections.some(({ leaving }) => !leaving), "another connection");
    }
    await until(() => texts().length === 10, "every event");
    expect(new Set(texts()).size).toBe(10);
  });

  it("turns a cut connection into a state, and recovers", async () => {
    await start();
    await connected();
    gateway().cut();
    await until(() => states().includes("degraded"), "the cut to be noticed");
    await connected();
    expect(bench.host.health).toContainEqual(
      expect.objectContaining({
        reason: "the connection broke",
        action: expect.stringContaining("network") as string,
      }),
    );
  });

  it("finds out by itself that a connection is dead", async () => {
    await start({ pongMs: 300 });
    await connected();
    gateway().freeze();
    const dead = gateway().connections[0];
    await until(() => gateway().connections.some((connection) => connection !== dead), "another connection");
    await connected();
    expect(states()).toContain("degraded");
  });

  it("waits for no hello that does not come", async () => {
    bench = await openSlack({ helloMs: 100 });
    gateway().silent = true;
    await bench.channel.start(bench.host);
    await until(() => last()?.state === "degraded", "patience to end");
    expect(last()).toMatchObject({ reason: "no hello" });
    gateway().silent = false;
    await connected();
  });

  it("says that there are too many connections, and takes over when there is room", async () => {
    bench = await openSlack();
    for (let count = 0; count < 10; count += 1) await rival();
    await bench.channel.start(bench.host);
    await until(() => last()?.state === "degraded", "the crowd to be noticed");
    expect(last()).toMatchObject({ reason: expect.stringContaining("ten connections") as string });
    for (const client of rivals.splice(0)) client.destroy();
    await connected();
  });

  it("says that another program takes some of the answers, until it is gone", async () => {
    bench = await openSlack();
    const other = await rival();
    await bench.channel.start(bench.host);
    await until(() => last()?.state === "degraded", "the other program to be noticed");
    expect(last()).toMatchObject({ reason: expect.stringContaining("another program") as string });
    other.destroy();
    await connected();
    await until(() => connections() === 1, "one connection");
  });

  it("says that Socket Mode was switched off, and comes back when it is on", async () => {
    await start();
    await connected();
    Object.assign(bench.slack.world.manifest.settings, { socket_mode_enabled: false });
    gateway().recycle("link_disabled");
    await health("failed");
    expect(bench.host.health.find(({ state }) => state === "failed")).toMatchObject({
      action: expect.stringContaining("Socket Mode") as string,
    });
    Object.assign(bench.slack.world.manifest.settings, { socket_mode_enabled: true });
    await connected();
  });

  it.each([
    ["auth.test", "invalid_auth", "Copy both tokens anew"],
    ["auth.test", "account_inactive", "Copy both tokens anew"],
    ["apps.connections.open", "invalid_auth", "Copy both tokens anew"],
    ["apps.connections.open", "not_allowed_token_type", "Copy both tokens anew"],
    ["apps.connections.open", "forbidden_team", "made from the manifest"],
  ])("fails with advice when %s says %s, and recovers without a restart", async (method, error, advice) => {
    bench = await openSlack();
    bench.slack.failNext(method, { error }, 2);
    await bench.channel.start(bench.host);
    await until(() => states().includes("failed"), "the refusal");
    expect(bench.host.health.find(({ state }) => state === "failed")).toMatchObject({
      reason: error,
      action: expect.stringContaining(advice) as string,
    });
    await connected();
  });

  it("names the scope that the app-level token lacks", async () => {
    bench = await openSlack();
    bench.slack.forgetAppScope();
    await bench.channel.start(bench.host);
    await health("failed");
    expect(last()).toMatchObject({ reason: "missing_scope (connections:write)" });
  });

  it("names the scopes that the bot lacks, and does what it can", async () => {
    bench = await openSlack();
    bench.slack.world.scopes.delete("files:write");
    bench.slack.world.scopes.delete("im:history");
    await bench.channel.start(bench.host);
    await health("degraded");
    expect(last()).toMatchObject({ reason: "the app lacks files:write, im:history" });
    expect(await bench.ara.press(bench.post(await deliver()), 0).ack).toMatchObject({ kind: "acked" });
  });

  it.each([
    ["a 500", { status: 500 }],
    ["a page of a proxy", "garbage"],
    ["nothing at all", "hollow"],
    ["a cut", "drop"],
  ] as const)("survives %s wherever it is asked for something", async (_, fault) => {
    bench = await openSlack();
    bench.slack.failNext("*", fault, 4);
    await bench.channel.start(bench.host);
    await connected();
    expect(bench.slack.faultsLeft).toBe(0);
  });

  it("waits for as long as the service asks", async () => {
    bench = await openSlack();
    bench.slack.failNext("apps.connections.open", { status: 429, retryAfter: 1 });
    const began = performance.now();
    await bench.channel.start(bench.host);
    await until(() => last()?.state === "degraded", "the wait");
    expect(last()).toMatchObject({ reason: "ratelimited" });
    await connected();
    expect(performance.now() - began).toBeGreaterThanOrEqual(1_000);
  });

  it.each([
    "",
    "null",
    "7",
    "[]",
    "{",
    '{"type":"hello"',
    '{"type":"events_api","envelope_id":"e","payload":{"type":"app_rate_limited"}}',
    '{"type":"events_api","envelope_id":"e","payload":{"event":null}}',
    '{"type":"events_api","envelope_id":"e"}',
    '{"type":"interactive","envelope_id":7,"payload":{}}',
    '{"type":"close","envelope_id":"e","payload":{}}',
    '{"type":"disconnect"}',
  ])("is not hurt by what cannot be read: %s", async (frame) => {
    await start();
    await connected();
    gateway().babble(frame);
    bench.ara.say("hello");
    await until(() => texts().includes("hello"), "the next event");
    await connected();
  });

  it("acknowledges within three seconds although two hundred answers come at once to a slow disk", async () => {
    await start();
    await connected();
    bench.host.beforeStore = () => new Promise((resolve) => setTimeout(resolve, 5));
    const card = bench.post(await deliver());
    const acks = await Promise.all(Array.from({ length: 200 }, () => bench.ara.press(card, 0).ack));
    expect(acks.every(({ kind }) => kind === "acked")).toBe(true);
    const slowest = Math.max(
      ...gateway().records.map(({ sentAt, ackedAt }) => (ackedAt ?? Infinity) - sentAt),
    );
    expect(slowest).toBeLessThan(3_000);
    expect(bench.host.updates.size).toBe(200);
  });

  it("acknowledges nothing that it could not store, and the event comes again", async () => {
    await start({ storeMs: 50 }, { timing: { ackMs: 200, eventRetryMs: [0, 0] } });
    await connected();
    let full = true;
    bench.host.beforeStore = () => (full ? Promise.reject(new Error("disk full")) : Promise.resolve());
    bench.ara.say("hello");
    await until(() => gateway().records.length >= 2, "the second attempt");
    expect(bench.host.health).toContainEqual(
      expect.objectContaining({ state: "degraded", reason: "an answer could not be stored" }),
    );
    full = false;
    await until(() => texts().length === 1, "the event");
    await connected();
  });

  it("stores an event once that came again because its acknowledgement was lost", async () => {
    await start({}, { timing: { ackMs: 100, eventRetryMs: [0, 0, 0] } });
    await connected();
    let cut = 2;
    bench.host.onUpdate = () => {
      cut -= 1;
      if (cut >= 0) gateway().cut();
    };
    bench.ara.say("hello");
    await until(() => gateway().records.some(({ ackedAt }) => ackedAt !== null), "an acknowledgement");
    expect(texts()).toEqual(["hello"]);
  });

  it("keeps apart what a person did twice and what the service repeated", async () => {
    await start();
    await connected();
    const card = bench.post(await deliver());
    await bench.ara.press(card, 0).ack;
    gateway().repeatLast();
    await until(
      () => gateway().records.length === 2 && gateway().records[1]!.ackedAt !== null,
      "the repetition",
    );
    await bench.ara.press(card, 0).ack;
    expect(bench.host.updates.size).toBe(2);
  });

  it("takes events in any order", async () => {
    await start();
    await connected();
    gateway().hold();
    for (const word of ["one", "two", "three"]) bench.ara.say(word);
    gateway().release("reversed");
    await until(() => texts().length === 3, "three events");
    expect(texts()).toEqual(["three", "two", "one"]);
  });

  it("stores no verification token and no trace of its own messages", async () => {
    await start();
    await connected();
    const im = bench.ara.im!;
    await bench.channel.deliver(promptNotice(im));
    bench.ara.say("hello");
    await until(() => texts().length === 1, "the event");
    expect(JSON.stringify([...bench.host.updates])).not.toContain("verification-token");
    expect(bench.host.meanings(bench.channel).filter((meaning) => meaning !== null)).toHaveLength(1);
  });

  it("goes on under the same key after a restart: an event that is known is not stored twice", async () => {
    await start();
    await connected();
    bench.ara.say("hello");
    await received(1);
    await bench.channel.stop();
    const survivor = bench.again();
    await survivor.start(bench.host);
    await connected();
    gateway().repeatLast();
    await until(
      () => gateway().records.length === 2 && gateway().records[1]!.ackedAt !== null,
      "the repetition",
    );
    expect(bench.host.updates.size).toBe(1);
  });

  describe("ends", () => {
    const stopped = async (): Promise<number> => {
      const began = performance.now();
      await bench.channel.stop();
      return performance.now() - began;
    };

    it("within a second, and its line with it, although the service never closes one", async () => {
      await start();
      await connected();
      expect(await stopped()).toBeLessThan(STOPS_WITHIN_MS);
      await until(() => connections() === 0, "the line to be closed");
      expect(last()).toEqual({ state: "stopped" });
    });

    it.each(["auth.test", "apps.connections.open"])(
      "while %s hangs, and opens nothing afterwards",
      async (method) => {
        bench = await openSlack({ callMs: 300 });
        bench.slack.failNext(method, "hang");
        await bench.channel.start(bench.host);
        await until(
          () => bench.slack.requests.at(-1)?.method === method && bench.slack.faultsLeft === 0,
          "the call",
        );
        expect(await stopped()).toBeLessThan(STOPS_WITHIN_MS);
        await new Promise((resolve) => setTimeout(resolve, 400));
        expect(connections()).toBe(0);
      },
    );

    it("while the hello does not come", async () => {
      bench = await openSlack();
      gateway().silent = true;
      await bench.channel.start(bench.host);
      await until(() => connections() === 1, "the connection");
      expect(await stopped()).toBeLessThan(STOPS_WITHIN_MS);
      await until(() => connections() === 0, "the line to be closed");
    });

    it("while the other end is dead", async () => {
      await start();
      await connected();
      gateway().freeze();
      expect(await stopped()).toBeLessThan(STOPS_WITHIN_MS);
    });

    it("while it waits to try again", async () => {
      bench = await openSlack({ retryMs: 60_000, retryMaxMs: 60_000 });
      await bench.slack.outage();
      await bench.channel.start(bench.host);
      await health("degraded");
      expect(await stopped()).toBeLessThan(STOPS_WITHIN_MS);
    });
  });

  it("is kept up by nobody's patience but its own: a host that takes no report does not end it", async () => {
    bench = await openSlack();
    const host = new RecordingHost();
    const channel = bench.open(host);
    await channel.start(host);
    const report = host.report.bind(host);
    let deaf = 2;
    host.report = (health) => {
      deaf -= 1;
      if (deaf >= 0) throw new Error("no report");
      report(health);
    };
    await bench.until(() => host.state === "connected", "a connection");
    await channel.stop();
  });
});
