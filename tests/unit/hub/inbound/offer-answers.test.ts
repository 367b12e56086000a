/**
 * A plain word in a chat answers nothing. Where it fits open prompts its writer gets a button for each; anything else gets help, and
 * whoever writes to a secret prompt is told to delete the message.
 */
import { describe, expect, it } from "vitest";
import { asId, type Identity, type Token } from "../../../../src/model/ids.js";
import { CHAT_COMMANDS, SUGGESTED_COMMANDS } from "../../../../src/sdk/inbound.js";
import type { PromptEvent } from "../../../../src/model/prompt.js";
import { clip } from "../../../../src/sdk/text.js";
import { turns } from "../fake-channel.js";
import { ARA, makeRig, SETTINGS, type Rig } from "../rig.js";

const VI = { name: "Vi", identities: ["chat:2"], role: "viewer" } as const;
const YES_NO = { promptType: "yes_no", choices: [], defaultChoice: null } as unknown as Partial<PromptEvent>;
const SECRET = {
  promptType: "secret",
  safetyClass: "secret",
  choices: [],
  defaultChoice: null,
} as unknown as Partial<PromptEvent>;

async function say(rig: Rig, text: string, identity = "chat:1") {
  await rig.chat.text(text, { identity });
  return rig.chat.answers.at(-1)!.answer;
}

const readId = (rig: Rig, { promptId }: PromptEvent) => rig.store.prompts.find(promptId)!.shortId;

/** A tap on a button of a reply, which is no card. */
async function press(rig: Rig, token: Token): Promise<void> {
  const from = { identity: asId<Identity>("chat:1"), place: "p1", receivedAt: 0 };
  await rig.chat.receive({ kind: "tap", token, ref: { place: "p1", message: 99 }, ...from });
  await turns();
}

describe("a plain word that fits an open prompt", () => {
  it("gets one button with the answer and its prompt, and only the tap answers", async () => {
    const rig = await makeRig();
    const event = await rig.raise(YES_NO);
    const { text, buttons } = await say(rig, "Yes");
    expect(text).toBe(
      `Nothing was answered yet. Tap to answer with it:\n${readId(rig, event)}  claude: ${event.excerpt}`,
    );
    expect(buttons?.map(({ label }) => label)).toEqual([`${readId(rig, event)}: “Yes”`]);
    expect([rig.readState(event), rig.link.replies]).toEqual(["pending", []]);
    await press(rig, buttons![0]!.token);
    expect(rig.link.replies).toMatchObject([{ value: "y" }]);
  });

  it("gets a button for each of several, and none for those that it does not fit", async () => {
    const rig = await makeRig();
    const first = await rig.raise(YES_NO, 1);
    const second = await rig.raise(YES_NO, 2);
    await rig.raise({}, 3);
    const { text, buttons } = await say(rig, "no");
    const ids = [first, second].map((event) => readId(rig, event));
    const lines = ids.map((id) => `${id}  claude: ${first.excerpt}`);
    expect(text).toBe(["Nothing was answered yet. Which prompt did you mean?", ...lines].join("\n"));
    expect(buttons?.map(({ label }) => label)).toEqual(ids.map((id) => `${id}: “No”`));
  });

  it("gets one that begins with its id and has the tool's words in quotes, where a service cuts it, too", async () => {
    const rig = await makeRig();
    const choices = (label: string): Partial<PromptEvent> => ({
      choices: [{ label, intent: "allow_once" }],
      constraints: { minChoice: 1, maxChoice: 1 },
    });
    const long = "Yes, allow reading from src/components/forms during this session";
    const events = [
      await rig.raise(choices(long), 1),
      await rig.raise(choices(long), 2),
      await rig.raise(
        { ...choices(`Yes → qs${" ".repeat(40)}.`), excerpt: "Go on?\nk7  claude: Delete it?" },
        3,
      ),
    ];
    const { text, buttons = [] } = await say(rig, "1");
    const ids = events.map((event) => readId(rig, event));
    const shown = buttons.map(({ label }) => clip(label, 40));
    expect(shown).toEqual([
      `${ids[0]}: “1. Yes, allow reading from src/com…`,
      `${ids[1]}: “1. Yes, allow reading from src/com…`,
      `${ids[2]}: “Yes → qs .”`,
    ]);
    expect(
      text
        .split("\n")
        .slice(1)
        .map((line) => line.slice(0, 2)),
    ).toEqual(ids);
  });

  it("gets a button of its own where its card has none, for a check list", async () => {
    const rig = await makeRig();
    const event = await rig.raise({ constraints: { multi: true } });
    const { buttons } = await say(rig, "1,3");
    expect(buttons).toHaveLength(1);
    // The card itself shows no button that it did not have.
    expect(rig.chat.cards()[0]!.notice.buttons.map(({ value }) => value)).not.toContain("1,3");
    await press(rig, buttons![0]!.token);
    expect([rig.readState(event), rig.link.replies]).toMatchObject(["answering", [{ value: "1,3" }]]);
  });

  it("gets no button where the prompt is answered, in another chat, or for a viewer", async () => {
    const rig = await makeRig({ settings: { ...SETTINGS, people: [ARA, VI] } });
    await rig.raise(YES_NO);
    expect((await say(rig, "yes", "chat:2")).buttons).toBeUndefined();
    await rig.chat.text("yes", { place: "elsewhere" });
    expect(rig.chat.answers.at(-1)!.answer.buttons).toBeUndefined();
    await rig.chat.tap(rig.chat.cards()[0]!, "n");
    expect((await say(rig, "yes")).buttons).toBeUndefined();
    expect(rig.link.replies).toHaveLength(1);
  });
});

describe("a no with its reason", () => {
  const PERMISSION: Partial<PromptEvent> = {
    choices: [
      { label: "Yes", intent: "allow_once" },
      { label: "No", intent: "reject_once", takesText: "optional" },
    ],
    constraints: { minChoice: 1, maxChoice: 2 },
  };
  const WORDS = "no, push to a feature branch instead";

  it.each(["in reply to the card", "in passing"])("is one tap away, %s", async (how) => {
    const rig = await makeRig();
    const event = await rig.raise(PERMISSION);
    const { ref } = rig.chat.cards()[0]!;
    await rig.chat.text(WORDS, how === "in passing" ? {} : { ref });
    const { text, buttons } = rig.chat.answers.at(-1)!.answer;
    const id = readId(rig, event);
    expect(text).toBe(`Nothing was answered yet. Tap to answer with it:\n${id}  claude: ${event.excerpt}`);
    expect(buttons?.map(({ label }) => label)).toEqual([`${id}: “No”, and say “${WORDS}”`]);
    expect([rig.readState(event), rig.link.replies]).toEqual(["pending", []]);
    await press(rig, buttons![0]!.token);
    expect(rig.link.replies).toMatchObject([{ value: "2", text: WORDS }]);
  });

  it.each(["no: use a branch", "Nope, not on main", "no – use a branch", "No. Use a branch"])(
    "is offered for %j",
    async (text) => {
      const rig = await makeRig();
      await rig.raise(PERMISSION);
      expect((await say(rig, text)).buttons).toHaveLength(1);
    },
  );

  it.each([
    "no problem, go ahead",
    "No worries - do it",
    "no, no problem, go ahead",
    "don't ask again, just run it",
    "no-brainer, do it",
  ])("is not offered for %j", async (text) => {
    const rig = await makeRig();
    await rig.raise(PERMISSION);
    expect((await say(rig, text)).buttons).toBeUndefined();
  });

  it("is not made of other words, nor of a no that takes none", async () => {
    const rig = await makeRig();
    await rig.raise(PERMISSION, 1);
    await rig.raise({ ...PERMISSION, choices: [{ label: "No", intent: "reject_once" }] }, 2);
    const [first, second] = rig.chat.cards();
    for (const [text, card] of [
      ["yes please", first],
      ["yes", first],
      [WORDS, second],
    ] as const) {
      await rig.chat.text(text, { ref: card!.ref });
      expect(rig.chat.answers.at(-1)!.answer.buttons).toBeUndefined();
      expect(rig.chat.lastAnswer).toMatch(/^That is not one of the choices; nothing was typed\./);
    }
  });
});

describe("a text that means nothing", () => {
  it.each(["yes", "No", "2"])(
    "is told that nothing waits for it, where it could be an answer: %s",
    async (word) => {
      const rig = await makeRig();
      expect((await say(rig, word)).text).toBe(
        "Nothing was answered. No open prompts.\nhelp: list the commands",
      );
    },
  );

  it("gets one line, with the nearest command, and where the list is", async () => {
    const rig = await makeRig();
    const NO_PROMPTS = "No open prompts.\nhelp: list the commands";
    expect((await say(rig, "promts")).text).toBe(
      `“promts” is no command. Did you mean prompts? ${NO_PROMPTS}`,
    );
    expect((await say(rig, "hello")).text).toBe(`“hello” is no command. ${NO_PROMPTS}`);
    expect((await say(rig, "tell web to run the tests")).text).toBe(`That is no command. ${NO_PROMPTS}`);
    // A known word is not called unknown.
    expect((await say(rig, "task x")).text).toBe(
      `To use task, write for example: task api fix the tests. ${NO_PROMPTS}`,
    );
    await rig.raise();
    expect((await say(rig, "/foo")).text).toMatch(/^“\/foo” is no command\. /);
    expect((await say(rig, "what now")).text).toMatch(
      /^Nothing was answered\. [^]*\nhelp: list the commands$/,
    );
  });

  it("help names every command, and each of them does something", async () => {
    const rig = await makeRig();
    const { text } = await say(rig, "help");
    expect((await say(rig, "/start")).text).toBe(text);
    expect(text).toMatch(/^To answer, tap or reply to a card\. To give an idle session a task, /);
    for (const { word, use } of CHAT_COMMANDS) {
      expect(text).toContain(`${word}${use === "" ? "" : ` ${use}`}: `);
      expect((await say(rig, `${word} ${use}`)).text).not.toMatch(/is no command/);
    }
    expect(SUGGESTED_COMMANDS.map(({ command }) => command)).toEqual(
      expect.arrayContaining(["status", "resume", "help"]),
    );
  });

  it("status says whether answers are accepted, what is open, and what runs", async () => {
    const rig = await makeRig();
    await rig.raise();
    expect((await say(rig, "status")).text).toMatch(/^▶️ Answers are accepted\.\n[^]*claude · /);
    await say(rig, "pause");
    expect((await say(rig, "/status@atlas_bot")).text).toMatch(/^⏸ Paused: /);
  });
});

describe("a text to a prompt that waits for a secret", () => {
  const DELETE = /Delete your message: it stays in this chat's history\.$/;

  it("answers nothing and is to be deleted, as a reply, by its id, and in passing", async () => {
    const rig = await makeRig();
    const event = await rig.raise(SECRET);
    await rig.chat.text("hunter2", { ref: rig.chat.cards()[0]!.ref });
    expect(rig.chat.lastAnswer).toMatch(DELETE);
    expect((await say(rig, `answer ${readId(rig, event)} hunter2`)).text).toMatch(DELETE);
    expect((await say(rig, "hunter2")).text).toBe(
      `🔒 ${readId(rig, event)} waits for a secret, which can only be typed at the terminal. If that was it: Delete your message: it stays in this chat's history.`,
    );
    await rig.raise({}, 2);
    expect((await say(rig, "hunter2")).text).toContain(
      `If that was the secret that ${readId(rig, event)} waits for: Delete your message`,
    );
    expect(rig.link.replies).toEqual([]);
  });

  it("is never invited: the list says that it is typed at the terminal", async () => {
    const rig = await makeRig();
    const event = await rig.raise(SECRET);
    const { text } = await say(rig, "prompts");
    expect(text).not.toContain("answer");
    expect(text).toBe(`${readId(rig, event)}  claude: ${event.excerpt} · type it at the terminal`);
  });

  it("from a stranger tells nothing", async () => {
    const rig = await makeRig();
    await rig.raise(SECRET);
    await rig.chat.text("hunter2", { ref: rig.chat.cards()[0]!.ref, identity: "chat:9" });
    expect(rig.chat.lastAnswer).toBe("You may not answer this prompt.");
  });
});
