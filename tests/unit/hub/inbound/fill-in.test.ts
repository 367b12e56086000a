/**
 * Several questions are stepped through with buttons, and a check list is ticked. Nothing is answered before the last button, one answer
 * goes in, and taps repeat without harm.
 */
import { describe, expect, it } from "vitest";
import type { FormField } from "../../../../src/model/answer/form.js";
import type { Identity, Token } from "../../../../src/model/ids.js";
import { asId } from "../../../../src/model/ids.js";
import type { PromptEvent } from "../../../../src/model/prompt.js";
import type { PromptNotice } from "../../../../src/sdk/channel.js";
import { CAPABILITIES, configureChannel, turns } from "../fake-channel.js";
import { ARA, makeRig, SETTINGS, type Rig, type RigOptions } from "../rig.js";

const FORM: readonly FormField[] = [
  {
    name: "db",
    question: "Which database?",
    options: [{ label: "Postgres" }, { label: "SQLite" }],
    ownWords: true,
  },
  { name: "tests", question: "Which tests?", options: [{ label: "unit" }, { label: "e2e" }], multi: true },
  { name: "name", question: "Its name?", options: [], optional: true },
];
const ASKED: Partial<PromptEvent> = {
  promptType: "free_text",
  safetyClass: "question",
  excerpt: "3 questions",
  choices: [],
  defaultChoice: null,
  constraints: { form: FORM, multiline: true, maxLength: 4000, declinable: true },
};
const CHECK_LIST: Partial<PromptEvent> = { constraints: { multi: true } };

/** A card that is tapped by the labels of its buttons, as it is shown now. */
class Card {
  readonly rig: Rig;

  constructor(rig: Rig) {
    this.rig = rig;
  }

  get #message() {
    return this.rig.chat.cards()[0]!;
  }

  get labels(): string[] {
    return this.#buttons.map(({ choice }) => choice.label);
  }

  get #buttons() {
    return this.#message.outcome?.buttons ?? this.#message.notice.buttons;
  }

  /** What the card shows; the channel gets it with every edit. */
  get step(): PromptNotice["step"] {
    return this.rig.chat.shown.get(this.#message.ref) ?? this.#message.notice.step;
  }

  token(label: string): Token {
    return this.#buttons.find(({ choice }) => choice.label === label)!.token;
  }

  async press(token: Token, { identity = "chat:1" } = {}): Promise<string> {
    const { ref } = this.#message;
    const from = { identity: asId<Identity>(identity), place: String(ref.place), receivedAt: 0 };
    await this.rig.chat.receive({ kind: "tap", token, ref, ...from });
    await this.edited();
    return this.rig.chat.lastAnswer ?? "";
  }

  tap(label: string): Promise<string> {
    return this.press(this.token(label));
  }

  async reply(text: string): Promise<string> {
    await this.rig.chat.text(text, { ref: this.#message.ref });
    await this.edited();
    return this.rig.chat.lastAnswer ?? "";
  }

  /** The chat allows a few edits at once; then they come one by one. */
  async edited(): Promise<void> {
    this.rig.clock.advance(3_000);
    await turns();
  }
}

async function raise(over: Partial<PromptEvent>, options: RigOptions = {}) {
  const rig = await makeRig(options);
  const event = await rig.raise(over);
  return { rig, event, card: new Card(rig) };
}

const readAnswer = (rig: Rig): unknown => (rig.link.replies as { value: string }[]).map(({ value }) => value);

describe("several questions", () => {
  it("are shown one at a time, with the answers so far, and sent with the last button", async () => {
    const { rig, event, card } = await raise(ASKED);
    expect(card.step).toMatchObject({ of: 3, asked: { number: 1, field: { question: "Which database?" } } });
    expect(card.labels).toEqual(["1. Postgres", "2. SQLite", "Decline to answer"]);
    expect(await card.tap("2. SQLite")).toBe("Question 2 of 3");
    expect(card.step).toMatchObject({
      asked: { number: 2 },
      given: [{ number: 1, question: "Which database?", answer: "SQLite" }],
    });
    expect(card.labels).toEqual([
      "☐ 1. unit",
      "☐ 2. e2e",
      "Done: none of them",
      "← Back",
      "Decline to answer",
    ]);
    await card.tap("☐ 2. e2e");
    await card.tap("☐ 1. unit");
    expect(card.labels.slice(0, 3)).toEqual(["☑ 1. unit", "☑ 2. e2e", "Done: 2 ticked"]);
    await card.tap("☑ 1. unit");
    await card.tap("Done: 1 ticked");
    expect(card.labels).toEqual(["Leave it out", "← Back", "Decline to answer"]);
    await card.reply("demo");
    expect(card.step?.asked).toBeNull();
    expect(card.step?.given.map(({ answer }) => answer)).toEqual(["SQLite", "e2e", "demo"]);
    expect([card.labels, rig.readState(event), readAnswer(rig)]).toEqual([
      ["✅ Send", "← Back", "Decline to answer"],
      "pending",
      [],
    ]);
    await card.tap("✅ Send");
    expect([rig.readState(event), readAnswer(rig)]).toEqual([
      "answering",
      ['{"db":"SQLite","tests":["e2e"],"name":"demo"}'],
    ]);
  });

  it("can be gone back over: what was given is marked, and kept", async () => {
    const { rig, card } = await raise(ASKED);
    await card.tap("1. Postgres");
    await card.tap("Done: none of them");
    await card.reply("demo");
    await card.tap("← Back");
    expect(card.labels).toEqual(["Keep it →", "Leave it out", "← Back", "Decline to answer"]);
    await card.tap("← Back");
    await card.tap("← Back");
    expect(card.labels.slice(0, 2)).toEqual(["✓ 1. Postgres", "2. SQLite"]);
    await card.tap("2. SQLite");
    await card.tap("✅ Send");
    expect(readAnswer(rig)).toEqual(['{"db":"SQLite","tests":[],"name":"demo"}']);
  });

  it("take a number, own words or the number of a question in writing; nonsense is told what fits", async () => {
    const { rig, event, card } = await raise(ASKED);
    expect(await card.reply("7")).toBe(
      "That is not one of the choices; nothing was typed. Answer question 1 with the number of your choice, or your own words.",
    );
    await card.reply("DuckDB");
    await card.reply("question 3: demo");
    expect(card.step).toMatchObject({
      asked: { number: 2 },
      given: [{ answer: "DuckDB" }, { answer: "demo" }],
    });
    await card.reply("1,2");
    await card.tap("✅ Send");
    expect([rig.readState(event), readAnswer(rig)]).toEqual([
      "answering",
      ['{"db":"DuckDB","tests":["unit","e2e"],"name":"demo"}'],
    ]);
  });

  it("take one line for each question as the whole answer", async () => {
    const { rig, card } = await raise(ASKED);
    await card.reply("2\nnone\n-");
    expect(readAnswer(rig)).toEqual(['{"db":"SQLite","tests":[],"name":"(leave out)"}']);
  });

  it("count all taps that come faster than the card is edited, and take a second tap for the first", async () => {
    const { card } = await raise(ASKED);
    const token = card.token("1. Postgres");
    await card.press(token);
    const tick = card.token("☐ 1. unit");
    const other = card.token("☐ 2. e2e");
    for (const quick of [tick, tick, other]) await card.press(quick);
    expect(card.labels.slice(0, 3)).toEqual(["☑ 1. unit", "☑ 2. e2e", "Done: 2 ticked"]);
    await card.press(token);
    expect(card.labels.slice(0, 3)).toEqual(["☑ 1. unit", "☑ 2. e2e", "Done: 2 ticked"]);
  });

  it("are answered once: a second Send is told so, and taps on older buttons change nothing", async () => {
    const { rig, card } = await raise(ASKED);
    const old = card.token("1. Postgres");
    for (const label of ["2. SQLite", "Done: none of them", "Leave it out"]) await card.tap(label);
    const send = card.token("✅ Send");
    await card.press(send);
    expect(await card.press(send)).toMatch(/^Already answered by Ara/);
    expect(await card.press(old)).toMatch(/^Already answered by Ara/);
    expect(readAnswer(rig)).toHaveLength(1);
  });

  it("are not sent as the card no longer shows them", async () => {
    const { rig, event, card } = await raise(ASKED);
    for (const label of ["2. SQLite", "Done: none of them", "Leave it out"]) await card.tap(label);
    const send = card.token("✅ Send");
    await card.reply("question 1: 1");
    expect(await card.press(send)).toMatch(/^The card has changed meanwhile: nothing was sent\./);
    expect([rig.readState(event), readAnswer(rig)]).toEqual(["pending", []]);
    await card.tap("✅ Send");
    expect(readAnswer(rig)).toMatchObject([expect.stringContaining("Postgres")]);
  });

  it("that expire half filled in type nothing, and a later tap is told so", async () => {
    const { rig, event, card } = await raise(ASKED, {
      settings: { ...SETTINGS, prompts: { ...SETTINGS.prompts, expires_after: 60_000 } },
    });
    await card.tap("2. SQLite");
    const done = card.token("Done: none of them");
    rig.clock.advance(120_000);
    await turns();
    expect(rig.readState(event)).toBe("expired");
    expect(await card.press(done)).toBe("This prompt has expired; nothing was typed.");
    expect(readAnswer(rig)).toEqual([]);
  });

  it("are filled in by approvers only, and not while paused", async () => {
    const VI = { name: "Vi", identities: ["chat:2"], role: "viewer" } as const;
    const { card } = await raise(ASKED, { settings: { ...SETTINGS, people: [ARA, VI] } });
    expect(await card.press(card.token("1. Postgres"), { identity: "chat:2" })).toBe(
      "You may not answer this prompt.",
    );
    expect(card.step?.given).toEqual([]);
    await card.rig.chat.text("pause");
    expect(await card.tap("1. Postgres")).toBe("AtlasBridge is paused; nothing was typed.");
  });

  it("are answered in writing where a channel shows no steps, or has no room for the buttons", async () => {
    for (const over of [{ steps: false }, { edit: false }, { buttonsMax: 6 }]) {
      const { rig, card } = await raise(ASKED, {
        configuredChannels: (chat) => [
          configureChannel(chat, { capabilities: { ...CAPABILITIES, ...over } }),
        ],
      });
      expect([card.step, card.labels]).toEqual([undefined, ["Decline to answer"]]);
      await card.reply("2\nnone\n-");
      expect(readAnswer(rig)).toHaveLength(1);
    }
  });

  it("keep their place over a restart of the hub", async () => {
    const { rig, card } = await raise(ASKED);
    await card.tap("2. SQLite");
    await rig.core.stop();
    const again = await makeRig({ path: rig.path, chat: rig.chat, clock: rig.clock });
    const there = new Card(again);
    expect(await there.tap("Done: none of them")).toBe("Question 3 of 3");
  });

  it("hold a bounded number of buttons, however often somebody taps", async () => {
    const { rig, event, card } = await raise(ASKED);
    await card.tap("2. SQLite");
    for (const label of ["Done: none of them", "Leave it out"]) await card.tap(label);
    for (let tap = 0; tap < 50; tap++) await card.reply(`question 1: words ${tap}`);
    const [delivery] = rig.store.deliveries.listCards(event.promptId);
    expect(rig.store.deliveries.listTokens(delivery!).length).toBeLessThan(50);
    await card.tap("✅ Send");
    expect(readAnswer(rig)).toMatchObject([expect.stringContaining("words 49")]);
  });

  it("whose answer holds hidden control characters are refused", async () => {
    const { rig, event } = await raise(ASKED);
    const shortId = rig.store.prompts.find(event.promptId)!.shortId;
    const value = '{"db":"SQLite","tests":[],"name":"\\u0007"}';
    expect(await rig.core.handlers["prompt.answer"]({ shortId, value }, { sessionId: null })).toMatchObject({
      claimed: false,
      rejection: { code: "control_characters" },
    });
  });
});

describe("a check list", () => {
  it("is ticked, and Done answers", async () => {
    const { rig, event, card } = await raise(CHECK_LIST);
    expect(card.labels).toEqual([
      "☐ 1. Yes",
      "☐ 2. Yes, and don't ask again",
      "☐ 3. No",
      "Done: none of them",
    ]);
    await card.tap("☐ 3. No");
    await card.tap("☐ 1. Yes");
    expect(rig.readState(event)).toBe("pending");
    await card.tap("Done: 2 ticked");
    expect([rig.readState(event), readAnswer(rig)]).toEqual(["answering", ["1,3"]]);
  });

  it("takes nothing ticked as an answer", async () => {
    const { rig, card } = await raise(CHECK_LIST);
    await card.tap("Done: none of them");
    expect(readAnswer(rig)).toEqual([""]);
  });

  it("with something hidden takes Done only in a second step", async () => {
    const { rig, event, card } = await raise({
      ...CHECK_LIST,
      content: { text: "key [37 hidden]", cut: null, hidden: { characters: 37, kinds: ["token"] } },
    });
    await card.tap("☐ 1. Yes");
    expect(await card.tap("Done: 1 ticked")).toContain("no answer was given");
    expect(rig.readState(event)).toBe("pending");
    await card.tap("⚠️ With 37 hidden: Done: 1 ticked");
    expect(readAnswer(rig)).toEqual(["1"]);
  });
});
