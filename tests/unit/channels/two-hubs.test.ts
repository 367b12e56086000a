/**
 * Two hubs on one bot: both say so for as long as both poll, a tap that the wrong one receives is answered in true words and types
 * nothing, and the one that is left recovers. The same with one Slack app.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TIMING as SLACK_TIMING } from "../../../channels/slack/limits.js";
import { TIMING } from "../../../channels/telegram/limits.js";
import { REFUSAL_TEXT } from "../../../src/model/answer/refusal.js";
import type { Message } from "../../support/slack/emulator.js";
import { listButtons } from "../../support/slack/payloads.js";
import { HubBench } from "./slack/hub-bench.js";

const POLLED = "another AtlasBridge or program polls this bot";
const CONNECTED = "another AtlasBridge or program is connected to this Slack app";
/** Each of two hubs has then lost the poll several times. */
const CONFLICTS = 8;

describe("two hubs on one bot and one app", () => {
  let first: HubBench;
  let second: HubBench;

  beforeEach(async () => {
    first = await HubBench.open();
    second = await HubBench.open({ beside: first });
  });
  afterEach(async () => {
    await second.close();
    await first.close();
  });

  const reason = (bench: HubBench, channel: string): string | undefined => {
    const health = bench.health.get(channel);
    return health !== undefined && "reason" in health ? health.reason : undefined;
  };
  const conflicts = (): number =>
    first.telegram.listRequests("getUpdates").filter(({ status }) => status === 409).length;
  const bothSaySo = (): Promise<void> =>
    first.until(
      () => [first, second].every((bench) => reason(bench, "telegram") === POLLED),
      "both to say so",
    );

  it("are both said to share it, also while updates come in and each wins the poll", async () => {
    await bothSaySo();
    const said = [first, second].map(({ reports }) => reports.length);
    for (let round = 0; round < CONFLICTS; round += 1) {
      const before = conflicts();
      first.phone.send("hello");
      await first.until(() => conflicts() > before, "the next conflict");
    }
    const since = [first, second].flatMap(({ reports }, at) => reports.slice(said[at]));
    expect(
      since.filter(({ channel, health }) => channel === "telegram" && health.state === "connected"),
    ).toEqual([]);
    await second.until(
      () => JSON.stringify(second.link.reaches.at(-1)).includes(`telegram: ${POLLED}`),
      "the session to be told, whose window's title shows it",
    );
  });

  it("leaves the remaining one connected once its polls have stood for long enough", async () => {
    await bothSaySo();
    await second.core.stop();
    await first.telegram.waitFor(() => first.telegram.world.updates.polling, "a standing poll");
    const polls = first.telegram.listRequests("getUpdates").length;
    first.phone.send("too early");
    await first.until(() => first.telegram.listRequests("getUpdates").length > polls, "the next poll");
    expect(reason(first, "telegram")).toBe(POLLED);
    first.clock.skip(TIMING.conflictQuietMs);
    first.phone.send("late enough");
    await first.until(() => first.health.get("telegram")?.state === "connected", "the recovery");
    await second.startHub();
  });

  it("answer a tap on the other's card in true words, type nothing, and leave the card open", async () => {
    const { event } = await first.ask();
    await first.until(() => first.phoneCards.length === 1, "the card in Telegram");
    await first.core.stop();
    const card = first.phoneCards[0]!;
    expect(await first.phone.press(card.id, 0).answered()).toEqual({
      text: REFUSAL_TEXT.foreign_card,
      alert: true,
    });
    const screen = card.buttons.findIndex(([button]) => button!.data.startsWith("see:"));
    expect((await first.phone.press(card.id, screen).answered()).text).toBe(REFUSAL_TEXT.foreign_card);
    expect(second.audited("answer_rejected")).toEqual([
      { identity: "telegram:1001", code: "foreign_card" },
      { identity: "telegram:1001", code: "foreign_card" },
    ]);
    expect(second.link.replies).toEqual([]);
    await first.startHub();
    await second.core.stop();
    expect(first.phoneCards).toEqual([card]);
    expect((await first.phone.press(card.id, 0).answered()).text).toBe("Yes: accepted for claude");
    expect(first.link.replies).toMatchObject([{ promptId: event.promptId, value: "1" }]);
    await second.startHub();
  });

  it("count the connections to Slack's app anew when one receives a tap on the other's card", async () => {
    expect(reason(second, "slack")).toBe(CONNECTED);
    // Slack told the first one nothing of the second.
    expect(first.health.get("slack")?.state).toBe("connected");
    first.clock.skip(SLACK_TIMING.sharedMs);
    const { foreign, card } = await tapUntilForeign();
    expect(foreign).toBe(REFUSAL_TEXT.foreign_card);
    await first.until(() => reason(first, "slack") === CONNECTED, "the first one to say so");
    expect(listButtons(first.slack.posts(first.place).find(({ ts }) => ts === card.ts)!)).not.toEqual([]);
    expect(first.link.replies).toEqual([]);
  });

  /** The service hands a tap to either hub. */
  async function tapUntilForeign(): Promise<{ readonly foreign: string | null; readonly card: Message }> {
    for (;;) {
      const { card } = await second.ask();
      const foreign = await second.ara.press(card, 0).told();
      if (foreign !== "Yes: accepted for claude") return { foreign, card };
    }
  }
});
