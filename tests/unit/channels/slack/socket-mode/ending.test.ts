/** A connection to Slack ends on request, in each of its states. */
import { describe, expect, it } from "vitest";
import { RecordingHost } from "../../../../../src/compat/testing/recording-host.js";
import { openSlack } from "../../../../contract/channel/slack-bench.js";
import { useLine } from "./line.js";

describe("the end of a connection to Slack", () => {
  const line = useLine();
  const { start, gateway, connections, until, connected, health, last } = line;

  describe("ends", () => {
    it("and its line with it, although the service never closes one", async () => {
      await start();
      await connected();
      await line.bench.channel.stop();
      await until(() => connections() === 0, "the line to be closed");
      expect(last()).toEqual({ state: "stopped" });
    });

    it.each(["auth.test", "apps.connections.open"])(
      "while %s hangs, and opens nothing afterwards",
      async (method) => {
        line.bench = await openSlack({ callMs: 300 });
        line.bench.slack.failNext(method, "hang");
        await line.bench.channel.start(line.bench.host);
        await until(
          () => line.bench.slack.requests.at(-1)?.method === method && line.bench.slack.faultsLeft === 0,
          "the call",
        );
        await line.bench.channel.stop();
        // The call reaches its own limit meanwhile.
        await new Promise((resolve) => setTimeout(resolve, 400));
        expect(connections()).toBe(0);
      },
    );

    it("while the hello does not come", async () => {
      line.bench = await openSlack();
      gateway().silent = true;
      await line.bench.channel.start(line.bench.host);
      await until(() => connections() === 1, "the connection");
      await line.bench.channel.stop();
      await until(() => connections() === 0, "the line to be closed");
    });

    it("while the other end is dead", async () => {
      await start();
      await connected();
      gateway().freeze();
      await line.bench.channel.stop();
    });

    it("while it waits to try again", async () => {
      line.bench = await openSlack({ retryMs: 60_000, retryMaxMs: 60_000 });
      await line.bench.slack.outage();
      await line.bench.channel.start(line.bench.host);
      await health("degraded");
      await line.bench.channel.stop();
    });
  });

  it("goes on when the host takes no report", async () => {
    line.bench = await openSlack();
    const host = new RecordingHost();
    const channel = line.bench.open(host);
    await channel.start(host);
    const report = host.report.bind(host);
    let deaf = 2;
    host.report = (health) => {
      deaf -= 1;
      if (deaf >= 0) throw new Error("no report");
      report(health);
    };
    await line.bench.until(() => host.state === "connected", "a connection");
    await channel.stop();
  });
});
