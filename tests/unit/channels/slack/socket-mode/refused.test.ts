/** A connection that Slack refuses is a state with advice, and recovers without a restart once the cause is gone. */
import { describe, expect, it } from "vitest";
import { openSlack } from "../../../../contract/channel/slack-bench.js";
import { useLine } from "./line.js";

describe("a connection to Slack that is refused or shared", () => {
  const line = useLine();
  const { start, gateway, connections, until, connected, states, health, last, deliver, rival } = line;

  it("says that there are too many connections, and takes over when there is room", async () => {
    line.bench = await openSlack();
    for (let count = 0; count < 10; count += 1) await rival();
    await line.bench.channel.start(line.bench.host);
    await until(() => last()?.state === "degraded", "the crowd to be noticed");
    expect(last()).toMatchObject({ reason: expect.stringContaining("ten connections") as string });
    for (const client of line.rivals.splice(0)) client.close();
    await connected();
  });

  it("says that another program takes some of the answers, until it is gone", async () => {
    line.bench = await openSlack();
    const other = await rival();
    await line.bench.channel.start(line.bench.host);
    await until(() => last()?.state === "degraded", "the other program to be noticed");
    expect(last()).toMatchObject({
      reason: expect.stringContaining("another AtlasBridge or program") as string,
    });
    other.close();
    await connected();
    await until(() => connections() === 1, "one connection");
  });

  it("notices another program that comes later at its next check, which needs no failure", async () => {
    await start({ aloneMs: 50 });
    await connected();
    await rival();
    await until(() => last()?.state === "degraded", "the other program to be noticed");
    expect(states()).not.toContain("failed");
    expect(last()).toMatchObject({ reason: expect.stringContaining("another AtlasBridge") as string });
  });

  it("says that Socket Mode was switched off, and comes back when it is on", async () => {
    await start();
    await connected();
    Object.assign(line.bench.slack.world.manifest.settings, { socket_mode_enabled: false });
    gateway().recycle("link_disabled");
    await health("failed");
    expect(line.bench.host.health.find(({ state }) => state === "failed")).toMatchObject({
      action: expect.stringContaining("Socket Mode") as string,
    });
    Object.assign(line.bench.slack.world.manifest.settings, { socket_mode_enabled: true });
    await connected();
  });

  it.each([
    ["auth.test", "invalid_auth", "Copy both tokens again"],
    ["auth.test", "account_inactive", "Copy both tokens again"],
    ["apps.connections.open", "invalid_auth", "Copy both tokens again"],
    ["apps.connections.open", "not_allowed_token_type", "Copy both tokens again"],
    ["apps.connections.open", "forbidden_team", "made from the manifest"],
  ])("fails with advice when %s says %s, and recovers without a restart", async (method, error, advice) => {
    line.bench = await openSlack();
    line.bench.slack.failNext(method, { error }, 2);
    await line.bench.channel.start(line.bench.host);
    await until(() => states().includes("failed"), "the refusal");
    expect(line.bench.host.health.find(({ state }) => state === "failed")).toMatchObject({
      reason: error,
      action: expect.stringContaining(advice) as string,
    });
    await connected();
  });

  it("names the scope that the app-level token lacks", async () => {
    line.bench = await openSlack();
    line.bench.slack.forgetAppScope();
    await line.bench.channel.start(line.bench.host);
    await health("failed");
    expect(last()).toMatchObject({ reason: "missing_scope (connections:write)" });
  });

  it("names the scopes that the bot lacks, and does what it can", async () => {
    line.bench = await openSlack();
    line.bench.slack.world.scopes.delete("files:write");
    line.bench.slack.world.scopes.delete("im:history");
    await line.bench.channel.start(line.bench.host);
    await health("degraded");
    expect(last()).toMatchObject({ reason: "the app lacks files:write, im:history" });
    expect(await line.bench.ara.press(line.bench.post(await deliver()), 0).ack).toMatchObject({
      kind: "acked",
    });
  });

  it.each([
    ["a 500", { status: 500 }],
    ["a page of a proxy", "garbage"],
    ["nothing at all", "hollow"],
    ["a cut", "drop"],
  ] as const)("survives %s wherever it is asked for something", async (_, fault) => {
    line.bench = await openSlack();
    line.bench.slack.failNext("*", fault, 4);
    await line.bench.channel.start(line.bench.host);
    await connected();
    expect(line.bench.slack.faultsLeft).toBe(0);
  });

  it("waits for as long as the service asks", async () => {
    line.bench = await openSlack();
    line.bench.slack.failNext("apps.connections.open", { status: 429, retryAfter: 1 });
    await line.bench.channel.start(line.bench.host);
    await until(() => last()?.state === "degraded", "the wait");
    expect(last()).toMatchObject({ reason: "ratelimited" });
    await connected();
    expect(line.bench.host.retries).toEqual([1_000]);
  });
});
