/**
 * A hub with Slack raises prompts, takes taps, forms and `/atlasbridge` commands from its approvers, and refuses all others with
 * a reason.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { PromptEvent } from "../../../../src/model/prompt.js";
import { listButtons } from "../../../support/slack/payloads.js";
import { readable } from "../../../support/slack/conversations.js";
import type { Json } from "../../../support/slack/json.js";
import { createRefusal } from "../../../../src/model/answer/refusal.js";
import { RECEIPT, SESSION } from "../../hub/rig.js";
import { HubBench } from "./hub-bench.js";

const FREE_TEXT: Partial<PromptEvent> = {
  promptType: "free_text",
  choices: [],
  excerpt: "What is it called?",
  defaultChoice: null,
};

describe("a hub with Slack", () => {
  let bench: HubBench;

  beforeEach(async () => {
    bench = await HubBench.open();
  });
  afterEach(() => bench.close());

  it("raises a prompt, takes a tap, and shows the true result on the card", async () => {
    const { event, card } = await bench.ask();
    expect(card.mentions).toEqual(["U0ARA"]);
    expect(await bench.ara.press(card, 0).told()).toBe("Yes: accepted for claude");
    await bench.carryOut(event);
    await bench.settled(card, /^✅ Yes, by Ara, confirmed\n/);
    expect(bench.link.replies).toMatchObject([{ value: "1", channelIdentity: "slack:T0TEAM/U0ARA" }]);
    expect(listButtons(bench.cards[0]!)).toEqual([]);
  });

  it("takes words from a form, of the card that it belongs to", async () => {
    await bench.ask();
    const { event, card } = await bench.ask(FREE_TEXT);
    bench.ara.press(card, "💬 Answer…");
    await bench.ara.openForm();
    expect(await bench.ara.submit({ text: "atlas <1>" }).told()).toBe("“atlas <1>”: accepted for claude");
    expect(bench.link.replies).toMatchObject([{ promptId: event.promptId, value: "atlas <1>" }]);
  });

  it("takes ticks, and several answers in one form", async () => {
    const choices = ["a", "b", "c"].map((label) => ({ label, intent: "other" as const }));
    const ticks = await bench.ask({ choices, constraints: { multi: true }, defaultChoice: null });
    for (const label of ["☐ 1. a", "☐ 3. c", "Done: 2 ticked"]) await bench.pressShown(ticks.card, label);
    await bench.until(() => bench.link.replies.length === 1, "the ticks");
    const form = await bench.ask({
      ...FREE_TEXT,
      constraints: {
        form: [
          { name: "db", question: "Which database?", options: [{ label: "Postgres" }, { label: "SQLite" }] },
          { name: "name", question: "What name?", options: [] },
        ],
      },
    });
    bench.ara.press(form.card, "💬 In a form…");
    await bench.ara.openForm();
    await bench.ara.submit({ options: ["2. SQLite"], text: "atlas" }).ack;
    await bench.until(() => bench.link.replies.length === 2, "the form");
    expect(bench.link.replies.map(({ value }) => value)).toEqual(["1,3", '{"db":"SQLite","name":"atlas"}']);
  });

  it("steps through several questions with buttons, in Slack and in Telegram, and is answered once", async () => {
    const { event, card } = await bench.ask({
      ...FREE_TEXT,
      content: {
        text: "1) Which database?\n   1. Postgres\n   2. SQLite\n\n2) Which tests?\n   1. unit\n   2. e2e",
        cut: null,
      },
      constraints: {
        form: [
          { name: "db", question: "Which database?", options: [{ label: "Postgres" }, { label: "SQLite" }] },
          {
            name: "tests",
            question: "Which tests?",
            options: [{ label: "unit" }, { label: "e2e" }],
            ownWords: true,
          },
        ],
      },
    });
    expect(bench.shown(card)).toMatch(/Question 1 of 2: Which database\?/);
    expect(bench.shown(card)).not.toContain("Which tests?");
    await bench.pressShown(card, "2. SQLite");
    await bench.until(
      () => /1\. Which database\? → SQLite\n.*Question 2 of 2: Which tests\?/s.test(bench.shown(card)),
      "question 2",
    );
    await bench.pressShown(card, "1. unit");
    await bench.until(() => bench.shown(card).includes("Nothing is sent before you tap Send"), "the summary");
    expect(bench.shown(card)).toMatch(/✏️ Not sent yet\n[^]*→ SQLite[^]*→ unit/);

    const phone = () => bench.phoneCards.at(-1)!;
    const tap = async (label: string) => {
      await bench.until(
        () =>
          phone()
            .buttons.flat()
            .some(({ text }) => text === label),
        `${label} on the phone`,
      );
      bench.phone.press(
        phone().id,
        phone()
          .buttons.flat()
          .findIndex(({ text }) => text === label),
      );
    };
    expect(phone().text).toMatch(/Question 1 of 2: Which database\?[^]*one line for each/);
    await tap("1. Postgres");
    await tap("💬 Something else…");
    await bench.until(() => bench.telegram.posts(bench.phone.id).some(({ locked }) => locked), "the request");
    const request = bench.telegram.posts(bench.phone.id).find(({ locked }) => locked)!;
    expect(request.text).toContain("Which tests?");
    bench.phone.send("only the quick ones", { replyTo: request.id });
    await tap("✅ Send");
    await bench.until(() => bench.link.replies.length === 1, "the answer");
    expect(bench.link.replies).toMatchObject([{ value: '{"db":"Postgres","tests":"only the quick ones"}' }]);
    await bench.pressShown(card, "✅ Send").catch(() => undefined);
    await bench.carryOut(event);
    await bench.settled(
      card,
      /^✅ “Postgres · only the quick ones”, by Ara, confirmed\n[^]*Which database\? · Which tests\?/,
    );
    expect(bench.link.replies).toHaveLength(1);
  });

  it("lets the first answer win, and settles the cards of both channels", async () => {
    const { event, card } = await bench.ask();
    const phone = await bench.telegram.waitFor(
      () => bench.telegram.posts(bench.phone.id)[0],
      "the phone's card",
    );
    bench.phone.press(phone.id, 2);
    await bench.until(() => bench.link.replies.length === 1, "the phone's answer");
    expect(await bench.ara.press(card, 0).told()).toBe(
      "Already answered by Ara; the card shows the outcome.",
    );
    await bench.carryOut(event);
    await bench.settled(card, /^✅ No, by Ara, confirmed\n/);
    await bench.telegram.waitFor(
      () => bench.telegram.posts(bench.phone.id)[0]!.text.startsWith("✅ No"),
      "the phone's card",
    );
  });

  it("gives a tool the task that is written in its session's thread, without a message of its own", async () => {
    const { event, card } = await bench.ask();
    const caller = { sessionId: SESSION };
    await bench.core.handlers["prompt.withdraw"]({ promptId: event.promptId, reason: "left_screen" }, caller);
    await bench.core.handlers["session.state"]({ sessionId: SESSION, state: "idle" }, caller);
    bench.ara.mention(bench.place, "fix the tests", { threadTs: card.threadTs! });
    await bench.until(() => bench.link.tasks.length === 1, "the task");
    expect(bench.link.tasks).toMatchObject([{ text: "fix the tests" }]);
    await bench.until(() => bench.audited("task_ended").length === 1, "its end");
    const told = bench.slack.posts(bench.place).map(({ blocks }) => readable(blocks));
    expect(told.filter((text) => /fix the tests/.test(text))).toEqual([]);
  });

  it("makes a text outside of the thread a task after a tap, which takes the button away, in both chats", async () => {
    const idle = { sessionId: SESSION, state: "idle" } as const;
    await bench.core.handlers["session.state"](idle, { sessionId: SESSION });
    bench.ara.mention(bench.place, "fix the docs");
    const find = () =>
      bench.slack
        .posts(bench.place)
        .find(({ blocks }) => readable(blocks).includes("Only a tap makes it a task"));
    await bench.until(() => find() !== undefined, "the button");
    const offer = find()!;
    expect(bench.link.tasks).toEqual([]);
    expect(await bench.ara.press(offer, "Give api this task").told()).toMatch(/^⏳ Given/);
    await bench.until(() => bench.link.tasks.length === 1, "the task");
    await bench.until(() => listButtons(find()!).length === 0, "the button to go");
    bench.phone.send("fix the tests");
    const findOnPhone = () =>
      bench.telegram.posts(bench.phone.id).find(({ text }) => text.includes("Only a tap makes it a task"));
    const shown = await bench.telegram.waitFor(findOnPhone, "the button on the phone");
    expect(shown.buttons.flat().map(({ text }) => text)).toEqual(["Give api this task"]);
    bench.phone.press(shown.id, 0, bench.phone.id);
    await bench.telegram.waitFor(() => findOnPhone()?.buttons.length === 0, "the button to go");
    expect(findOnPhone()?.text).toMatch(/^⏳ Given[^]*Only a tap makes it a task:$/);
    expect(bench.audited("task_taken").map(({ identity }) => identity)).toEqual([
      "slack:T0TEAM/U0ARA",
      "telegram:1001",
    ]);
  });

  it("shows the text that stands in an input box, and replaces it after a tap", async () => {
    const { event, card } = await bench.ask();
    const caller = { sessionId: SESSION };
    await bench.core.handlers["prompt.withdraw"]({ promptId: event.promptId, reason: "left_screen" }, caller);
    await bench.core.handlers["session.state"]({ sessionId: SESSION, state: "idle" }, caller);
    const draft = { text: "do it", hash: "d".repeat(64) };
    bench.link.taskResult = () =>
      Promise.resolve({ receipt: null, rejection: createRefusal("draft"), draft });
    bench.ara.mention(bench.place, "fix the tests", { threadTs: card.threadTs! });
    const find = () =>
      bench.slack
        .posts(bench.place)
        .find(({ blocks }) => readable(blocks).includes("already text in api's input box"));
    await bench.until(() => find() !== undefined, "the refusal");
    expect(readable(find()!.blocks)).toContain("(“do it”). Nothing was typed.");
    expect(listButtons(find()!).map(({ text }) => text)).toMatchObject([
      { text: "🧹 Replace it" },
      { text: "Leave it" },
    ]);
    bench.link.taskResult = () => Promise.resolve({ receipt: RECEIPT, rejection: null });
    bench.clock.skip(10_000);
    expect(await bench.ara.press(find()!, "🧹 Replace it").told()).toMatch(/^🧹 Asked/);
    await bench.until(() => bench.link.tasks.some(({ clears }) => clears === draft.hash), "the task");
  });

  it("denies with the reason that is written to a card, after a tap", async () => {
    const { card, event } = await bench.ask({
      choices: [
        { label: "Yes", intent: "allow_once" },
        { label: "No", intent: "reject_once", takesText: "optional" },
      ],
      constraints: { minChoice: 1, maxChoice: 2 },
    });
    bench.ara.mention(bench.place, "no, use a branch", { threadTs: card.threadTs! });
    const find = () =>
      bench.slack.posts(bench.place).find(({ blocks }) => readable(blocks).includes("Tap to answer with it"));
    await bench.until(() => find() !== undefined, "the button");
    const [button] = listButtons(find()!);
    await bench.ara.pressButton(find()!, button!).told();
    expect(bench.link.replies).toMatchObject([
      { promptId: event.promptId, value: "2", text: "no, use a branch" },
    ]);
  });

  it("takes old buttons and forms after a restart", async () => {
    const tap = await bench.ask();
    const words = await bench.ask(FREE_TEXT);
    bench.ara.press(words.card, "💬 Answer…");
    await bench.ara.openForm();
    await bench.core.stop();
    await bench.startHub();
    expect(await bench.ara.press(tap.card, 0).told()).toBe("Yes: accepted for claude");
    expect(await bench.ara.submit({ text: "atlas" }).told()).toContain("accepted for claude");
    expect(bench.cards).toHaveLength(2);
  });

  it("answers truthfully on a second card after a lost response, and settles both", async () => {
    await bench.ask();
    bench.slack.failNext("chat.postMessage", "drop-after-effect");
    const { event } = await bench.ask();
    await bench.until(() => bench.cards.length === 3, "the second card");
    const [, first, second] = bench.cards;
    expect(await bench.ara.press(first!, 0).told()).toBe("Yes: accepted for claude");
    expect(await bench.ara.press(second!, 2).told()).toMatch(/^Already answered by Ara;/);
    await bench.carryOut(event);
    for (const card of [first!, second!]) await bench.settled(card, /^✅ Yes, by Ara, confirmed\n/);
  });

  it("takes words from the form of a card whose posting was not confirmed", async () => {
    await bench.ask();
    bench.slack.failNext("chat.postMessage", "drop-after-effect");
    const { card } = await bench.ask(FREE_TEXT);
    bench.ara.press(card, "💬 Answer…");
    await bench.ara.openForm();
    expect(await bench.ara.submit({ text: "atlas" }).told()).toContain("accepted for claude");
  });

  describe("refuses, with a reason", () => {
    it("a viewer, and a stranger", async () => {
      const { card } = await bench.ask();
      for (const [id, name] of [
        ["U0VI", "Vi"],
        ["U0EVE", "Eve"],
      ] as const) {
        const person = bench.slack.user(id, name);
        bench.slack.world.conversations.get(bench.place)!.members.add(id);
        expect(await person.press(card, 0).told()).toBe("You may not answer this prompt.");
      }
      expect(bench.link.replies).toEqual([]);
    });

    it("a guest from another organisation, even with the id of one of ours", async () => {
      const { card } = await bench.ask();
      const guest = bench.slack.outsider("U0ARA", "Not Ara", bench.place);
      expect(await guest.press(card, 0).told()).toBe(
        "Only members of this workspace may answer; nothing was typed.",
      );
      expect(bench.link.replies).toEqual([]);
    });

    it("a card of yesterday", async () => {
      const { event, card } = await bench.ask();
      await bench.core.handlers["prompt.withdraw"](
        { promptId: event.promptId, reason: "answered_locally" },
        { sessionId: SESSION },
      );
      await bench.settled(card, /^⌨️ Answered at the terminal/);
      const [button] = listButtons(card);
      expect(await bench.ara.pressButton(card, button!).told()).toMatch(/answered at the terminal/);
    });

    it("a card that was shared elsewhere, and a button that was carried there", async () => {
      const { card } = await bench.ask();
      const elsewhere = bench.slack.channel("C0ELSE", [bench.ara]);
      const copy = bench.ara.forward(elsewhere);
      const [button] = listButtons(card);
      const copied = "This is a copy; answer the original message.";
      expect(await bench.ara.pressButton(card, button!, copy).told()).toBe(copied);
      expect(await bench.ara.pressButton({ ...card, channel: elsewhere }, button!).told()).toBe(copied);
      expect(bench.link.replies).toEqual([]);
    });

    it("a button that was forged", async () => {
      const { card } = await bench.ask();
      const forged = { ...listButtons(card)[0]!, value: "x".repeat(21) };
      expect(await bench.ara.pressButton(card, forged).told()).toBe("There is no such open prompt.");
    });

    it("an edited message, and words that are no answer", async () => {
      await bench.ask();
      const said = bench.ara.say("not ok");
      await bench.until(() => bench.slack.posts(bench.ara.im!).length === 1, "the list");
      expect(readable(bench.slack.posts(bench.ara.im!)[0]!.blocks)).toContain(
        "claude: Do you want to proceed?",
      );
      bench.ara.edit(said, "answer k7 1");
      await bench.until(() => bench.slack.posts(bench.ara.im!).length === 2, "the refusal");
      expect(readable(bench.slack.posts(bench.ara.im!)[1]!.blocks)).toBe(
        "An edited message does not count as an answer; write a new one.",
      );
      expect(bench.link.replies).toEqual([]);
    });

    it("words in a form for a question that was answered meanwhile", async () => {
      const { event, card } = await bench.ask(FREE_TEXT);
      bench.ara.press(card, "💬 Answer…");
      await bench.ara.openForm();
      await bench.core.handlers["prompt.withdraw"](
        { promptId: event.promptId, reason: "answered_locally" },
        { sessionId: SESSION },
      );
      expect(await bench.ara.submit({ text: "atlas" }).told()).toMatch(/answered at the terminal/);
    });
  });

  describe("obeys /atlasbridge", () => {
    const told = (text: string): Promise<string> => bench.ara.command(text).told();

    it("help, sessions, prompts, pause, resume and answer", async () => {
      expect(await told("")).toContain("answer k7 2");
      expect(await told("sessions")).toMatch(/^claude · api · \/home\/ara\/project · running$/);
      expect(await told("prompts")).toBe("No open prompts.");
      const { card } = await bench.ask();
      expect(await told("prompts")).toContain("claude: Do you want to proceed?");
      expect(await told("pause")).toMatch(/^⏸ Paused/);
      expect(await bench.ara.press(card, 0).told()).toBe("AtlasBridge is paused; nothing was typed.");
      expect(await told("resume")).toMatch(/^▶️/);
      const [, shortId = ""] = /· ([a-z0-9]{2,4}) @/.exec(bench.shown(card)) ?? [];
      expect(await told(`answer ${shortId} 2`)).toMatch(/^This prompt was sent to another chat/);
      expect(bench.link.replies).toEqual([]);
      const inItsChannel = bench.ara.command(`answer ${shortId} 2`, { channel: bench.place });
      expect(await inItsChannel.told()).toContain("accepted for claude");
      expect(bench.link.replies).toMatchObject([{ value: "2" }]);
    });

    it("not from a viewer who wants to pause, and not from a stranger", async () => {
      expect(await bench.slack.user("U0VI", "Vi").command("pause").told()).toBe("You may not do that.");
      expect(await bench.slack.user("U0EVE", "Eve").command("prompts").told()).toBe(
        "You are not listed in this AtlasBridge's configuration.",
      );
    });
  });

  it("shows the home tab as things are", async () => {
    const home = (): string => readable((bench.ara.home?.["blocks"] as Json[] | undefined) ?? []);
    bench.ara.openHome();
    await bench.until(() => home().includes("No open prompts"), "the home tab");
    const { event } = await bench.ask();
    await bench.until(() => home().includes("Do you want to proceed?"), "the question");
    await bench.core.handlers["prompt.withdraw"](
      { promptId: event.promptId, reason: "answered_locally" },
      { sessionId: SESSION },
    );
    await bench.until(() => home().includes("No open prompts"), "the end of it");
    expect(home()).toContain("claude · api · /home/ara/project · starting");
  });
});
