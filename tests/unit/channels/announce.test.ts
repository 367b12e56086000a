/** A line about the hub itself comes into the chat, with no markup of its own, outside of any session's thread, and needs no ledger. */
import { afterEach, describe, expect, it } from "vitest";
import { openSlack } from "../../contract/channel/slack-bench.js";
import { openTelegram } from "../../contract/channel/telegram-bench.js";
import { readable } from "../../support/slack/conversations.js";

const TEXT = "⏸ AtlasBridge <has> *paused* itself & waits";
const benches: { stop(): Promise<void> }[] = [];
afterEach(() => Promise.all(benches.splice(0).map((bench) => bench.stop())));

describe("a line about the hub itself", () => {
  it.each([true, false])("comes into a chat of Telegram, silently in quiet hours (%s)", async (quiet) => {
    const bench = await openTelegram();
    benches.push(bench);
    bench.host.beforeSet = () => {
      throw new Error("the disk is full");
    };
    await bench.channel.announce(bench.place, TEXT, quiet);
    expect(bench.telegram.posts(Number(bench.place))).toMatchObject([{ text: TEXT, buttons: [] }]);
    const { payload } = bench.telegram.listRequests("sendMessage").at(-1)!;
    expect(payload["disable_notification"] !== undefined).toBe(quiet);
    bench.telegram.failNext("sendMessage", { status: 403 });
    await expect(bench.channel.announce(bench.place, TEXT, quiet)).rejects.toMatchObject({ permanent: true });
  });

  it("comes into a channel of Slack, in no thread", async () => {
    const bench = await openSlack();
    benches.push(bench);
    bench.host.beforeSet = () => {
      throw new Error("the disk is full");
    };
    await bench.channel.announce(bench.place, TEXT);
    const [said] = bench.slack.posts(bench.place);
    expect(readable(said!.blocks)).toBe(TEXT);
    expect(said!.threadTs).toBeNull();
  });
});
