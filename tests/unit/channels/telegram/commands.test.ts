/** The list of commands is registered with Telegram once the bot is connected, and again only after the service refused it. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openTelegram, type TelegramBench } from "../../../contract/channel/telegram-bench.js";

describe("the list of commands", () => {
  let bench: TelegramBench;

  beforeEach(async () => {
    bench = await openTelegram();
  });
  afterEach(() => bench.stop());

  const registered = () => bench.telegram.listRequests("setMyCommands");
  const names = () =>
    ((bench.telegram.world.commands ?? []) as { command: string }[]).map(({ command }) => command);

  it("is registered once the bot is connected, and not again by the next hub", async () => {
    await bench.channel.start(bench.host);
    await bench.until(() => bench.host.settings.has("commands:7000001"), "the list");
    expect(names()).toEqual([
      "prompts",
      "sessions",
      "status",
      "screen",
      "stop",
      "grants",
      "pause",
      "resume",
      "help",
    ]);
    await bench.channel.stop();
    const next = bench.again();
    await next.start(bench.host);
    bench.ara.send("hello");
    await bench.until(() => bench.host.updates.size === 1, "the message");
    expect(registered()).toHaveLength(1);
  });

  it("is tried again with the next connection when the service refused it", async () => {
    bench.telegram.failNext("setMyCommands", { status: 500 });
    await bench.channel.start(bench.host);
    await bench.until(() => bench.host.spoken().includes("refused the list"), "the refusal");
    expect(bench.host.state).toBe("connected");
    await bench.outage();
    await bench.until(() => bench.host.state === "degraded", "the outage");
    await bench.restore();
    await bench.until(() => names().length > 0, "the list");
  });
});
