/**
 * A message or a tap that cannot answer a prompt is refused with a reason, in each service through its real client, and the
 * refusal is on record.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readable } from "../../support/slack/conversations.js";
import { listButtons } from "../../support/slack/payloads.js";
import { HubBench } from "./slack/hub-bench.js";

const GROUP = -1001;
const DAY_MS = 24 * 3_600_000;

/** What somebody did and was told. */
interface Refusal {
  readonly told: string;
  readonly identity: string;
}

type Try = (bench: HubBench) => Promise<Refusal>;

interface Row {
  readonly reason: RegExp;
  readonly code: string;
  readonly inTelegram: Try;
  readonly inSlack: Try;
}

const TELEGRAM_ARA = "telegram:1001";
const SLACK_ARA = "slack:T0TEAM/U0ARA";

/** Somebody of the group presses the first button. */
const pressInGroup =
  (id: number, name: string): Try =>
  async (bench) => {
    const card = bench.phoneCards.at(-1)!;
    const { text } = await bench.telegram.user(id, name).press(card.id, 0, GROUP).answered();
    return { told: text, identity: `telegram:${id}` };
  };

const pressInChannel =
  (id: string, name: string): Try =>
  async (bench) => {
    const person = bench.slack.user(id, name);
    bench.slack.world.conversations.get(bench.place)!.members.add(id);
    return { told: await person.press(bench.cards.at(-1)!, 0).told(), identity: `slack:T0TEAM/${id}` };
  };

/** Ara writes into the group, and reads what the bot says to that. */
async function sayInGroup(bench: HubBench, text: string, replyTo?: number): Promise<Refusal> {
  const options = { chat: GROUP, ...(replyTo === undefined ? {} : { replyTo }) };
  const sent = bench.phone.send(text, options);
  const isReply = ({ replyTo: target }: { readonly replyTo: number | null }): boolean => target === sent;
  await bench.until(() => bench.telegram.posts(GROUP).some(isReply), "an answer in Telegram");
  return { told: bench.telegram.posts(GROUP).find(isReply)!.text, identity: TELEGRAM_ARA };
}

/** Ara writes to the app, and reads what it says to that. */
async function sayToApp(bench: HubBench, act: () => unknown): Promise<Refusal> {
  const before = bench.slack.posts(bench.ara.im!).length;
  act();
  await bench.until(() => bench.slack.posts(bench.ara.im!).length > before, "an answer in Slack");
  return { told: readable(bench.slack.posts(bench.ara.im!).at(-1)!.blocks), identity: SLACK_ARA };
}

const ROWS: Readonly<Record<string, Row>> = {
  "a stranger's tap": {
    reason: /^You may not answer this prompt\.$/,
    code: "not_allowed",
    inTelegram: pressInGroup(6666, "Eve"),
    inSlack: pressInChannel("U0EVE", "Eve"),
  },
  "a viewer's tap": {
    reason: /^You may not answer this prompt\.$/,
    code: "not_allowed",
    inTelegram: pressInGroup(1002, "Vi"),
    inSlack: pressInChannel("U0VI", "Vi"),
  },
  "a tap on a card that was carried elsewhere": {
    reason: /^This is a copy; answer the original message\.$/,
    code: "forwarded",
    inTelegram: async (bench) => {
      const card = bench.phoneCards.at(-1)!;
      const data = card.buttons[0]![0]!.data;
      const tap = bench.phone.pressToken(card.id, data, 1001);
      return { told: (await tap.answered()).text, identity: TELEGRAM_ARA };
    },
    inSlack: async (bench) => {
      const card = bench.cards.at(-1)!;
      const copy = bench.ara.forward(bench.slack.channel("C0ELSE", [bench.ara]));
      const told = await bench.ara.pressButton(card, listButtons(card)[0]!, copy).told();
      return { told, identity: SLACK_ARA };
    },
  },
  "a tap on a card of yesterday": {
    reason: /^This prompt has expired; nothing was typed\.$/,
    code: "expired",
    inTelegram: async (bench) => {
      bench.clock.skip(DAY_MS);
      const tap = bench.phone.press(bench.phoneCards.at(-1)!.id, 0, GROUP);
      return { told: (await tap.answered()).text, identity: TELEGRAM_ARA };
    },
    inSlack: async (bench) => {
      bench.clock.skip(DAY_MS);
      return { told: await bench.ara.press(bench.cards.at(-1)!, 0).told(), identity: SLACK_ARA };
    },
  },
  "a button that was forged": {
    reason: /^There is no such open prompt\.$/,
    code: "unknown_prompt",
    inTelegram: async (bench) => {
      const tap = bench.phone.pressToken(bench.phoneCards.at(-1)!.id, "x".repeat(21), GROUP);
      return { told: (await tap.answered()).text, identity: TELEGRAM_ARA };
    },
    inSlack: async (bench) => {
      const card = bench.cards.at(-1)!;
      const forged = { ...listButtons(card)[0]!, value: "x".repeat(21) };
      return { told: await bench.ara.pressButton(card, forged).told(), identity: SLACK_ARA };
    },
  },
  "a message that was changed into an answer": {
    reason: /^An edited message does not count as an answer; write a new one\.$/,
    code: "edited",
    inTelegram: async (bench) => {
      const first = bench.phone.send("hm", { chat: GROUP, replyTo: bench.phoneCards.at(-1)!.id });
      const answers = (): string[] =>
        bench.telegram.posts(GROUP).flatMap(({ replyTo, text }) => (replyTo === first ? [text] : []));
      await bench.until(() => answers().length === 1, "the first refusal");
      bench.phone.edit(first, "1", GROUP);
      await bench.until(() => answers().length === 2, "the refusal");
      return { told: answers()[1]!, identity: TELEGRAM_ARA };
    },
    inSlack: async (bench) => {
      const said = bench.ara.say("hm");
      await bench.until(() => bench.slack.posts(bench.ara.im!).length === 1, "the list");
      return sayToApp(bench, () => bench.ara.edit(said, "answer k7 1"));
    },
  },
  "an answer that replies to the wrong message": {
    reason:
      // Telegram offers it as a button to tap; Slack lists what can be written.
      /^(?:Nothing was answered yet\. Tap to answer with it:\n\w+ {2}claude: Do you want to proceed\?|Nothing was answered\. 1 prompt is open\. Tap or reply to its card, or send: answer \w+ …\n\w+ {2}claude: Do you want to proceed\?\nhelp: list the commands)$/,
    code: "unattributed",
    inTelegram: async (bench) => {
      const { told: list } = await sayInGroup(bench, "/prompts");
      const listed = bench.telegram.posts(GROUP).find(({ text }) => text === list)!;
      return sayInGroup(bench, "1", listed.id);
    },
    inSlack: (bench) => sayToApp(bench, () => bench.ara.say("1", { threadTs: bench.cards.at(-1)!.ts })),
  },
  "an answer to a question that there never was": {
    reason: /^There is no prompt 00\.$/,
    code: "unknown_prompt",
    inTelegram: (bench) => sayInGroup(bench, "/answer 00 1"),
    inSlack: (bench) => sayToApp(bench, () => bench.ara.say("answer 00 1")),
  },
  "words that are no answer": {
    reason: /^Nothing was answered\. 1 prompt is open\. Tap or reply to its card, or send: answer \w+ …\n/,
    code: "unattributed",
    inTelegram: (bench) => sayInGroup(bench, "not ok"),
    inSlack: (bench) => sayToApp(bench, () => bench.ara.say("not ok")),
  },
};

describe.each(["Telegram", "Slack"] as const)("a message that cannot answer in %s", (service) => {
  let bench: HubBench;

  beforeEach(async () => {
    bench = await HubBench.open({ chat: GROUP });
  });
  afterEach(() => bench.close());

  it.each(Object.entries(ROWS))("%s: is refused with a reason, and on record", async (_what, row) => {
    await bench.ask();
    await bench.until(() => bench.phoneCards.length === 1, "the card in Telegram");
    const { told, identity } = await (service === "Telegram" ? row.inTelegram : row.inSlack)(bench);
    expect(told).toMatch(row.reason);
    expect(bench.audited("answer_rejected").at(-1)).toEqual({ identity, code: row.code });
    expect(bench.link.replies).toEqual([]);
    // Nobody is left with a spinner or a warning of the service; what comes in by the way is acknowledged a moment later.
    const { records } = bench.slack.world.gateway;
    await bench.until(() => bench.telegram.unanswered.length === 0, "the end of every spinner");
    await bench.until(() => records.every(({ ackedAt }) => ackedAt !== null), "every acknowledgement");
  });

  it("“not ok” to the card itself: says how to answer, and on record", async () => {
    const { card } = await bench.ask();
    await bench.until(() => bench.phoneCards.length === 1, "the card in Telegram");
    const shortId = /· ([a-z0-9]{2,4}) @/.exec(bench.shown(card))?.[1] ?? "";
    const told =
      service === "Telegram"
        ? (await sayInGroup(bench, "not ok", bench.phoneCards[0]!.id)).told
        : await bench.ara.command(`answer ${shortId} not ok`, { channel: bench.place }).told();
    expect(told).toBe(
      "That is not one of the choices; nothing was typed. Answer with the number of the choice.",
    );
    expect(bench.audited("answer_rejected")).toMatchObject([{ code: "option_unknown" }]);
    expect(bench.link.replies).toEqual([]);
  });
});
