/** The connection to Slack is replaced at each refresh, warning or cut without losing an event. */
import { describe, expect, it } from "vitest";
import { openSlack } from "../../../../contract/channel/slack-bench.js";
import { useLine } from "./line.js";

describe("the connection to Slack", () => {
  const line = useLine();
  const { start, gateway, connections, until, connected, states, last, received, deliver, texts } = line;

  it("asks who it is, opens one connection, and says so", async () => {
    await start();
    await connected();
    expect(states()).toEqual(["starting", "connected"]);
    expect(line.bench.slack.requests.map(({ method }) => method)).toEqual([
      "auth.test",
      "apps.connections.open",
    ]);
    expect(connections()).toBe(1);
  });

  it("starts once, however often start is called", async () => {
    await start();
    await line.bench.channel.start(line.bench.host);
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
    line.bench.ara.say("still there?");
    await received(1);
    expect(states()).toEqual(["starting", "connected"]);
  });

  it("is back at once after the service refreshed it", async () => {
    await start();
    await connected();
    gateway().recycle("refresh_requested");
    await until(() => gateway().connections.some(({ leaving }) => !leaving), "another connection");
    expect(await line.bench.ara.press(line.bench.post(await deliver()), 0).ack).toMatchObject({
      kind: "acked",
    });
    expect(states()).toEqual(["starting", "connected"]);
  });

  it("loses no event over ten refreshes in a row", async () => {
    await start({}, { timing: { eventRetryMs: [20, 20, 20, 20] } });
    await connected();
    for (let round = 1; round <= 10; round += 1) {
      line.bench.ara.say(`round ${round}`);
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
    expect(line.bench.host.health).toContainEqual(
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
    line.bench = await openSlack({ helloMs: 100 });
    gateway().silent = true;
    await line.bench.channel.start(line.bench.host);
    await until(() => last()?.state === "degraded", "patience to end");
    expect(last()).toMatchObject({ reason: "no hello" });
    gateway().silent = false;
    await connected();
  });
});
