/**
 * A reply with the button "k7: Yes" is settled like a card: once its prompt was answered elsewhere the button goes and the message says
 * how the prompt ended, also after a new hub began. Buttons of prompts that are still open stay.
 */
import { describe, expect, it } from "vitest";
import { asId, type Identity, type Token } from "../../../../src/model/ids.js";
import type { PromptEvent } from "../../../../src/model/prompt.js";
import { turns } from "../fake-channel.js";
import { makeRig, SESSION, SETTINGS, type Rig } from "../rig.js";

const YES_NO = { promptType: "yes_no", choices: [], defaultChoice: null } as unknown as Partial<PromptEvent>;
const AT_TERMINAL = "⌨️ Answered at the terminal";

async function say(rig: Rig, text: string): Promise<readonly { token: Token; label: string }[]> {
  await rig.chat.text(text);
  return rig.chat.answers.at(-1)!.answer.buttons ?? [];
}

async function answerAtTerminal(rig: Rig, { promptId }: PromptEvent): Promise<void> {
  const params = { promptId, reason: "answered_locally" } as never;
  await rig.core.handlers["prompt.withdraw"](params, { sessionId: SESSION });
  await passTime(rig);
}

/** Edits are sent at the pace of the service. */
async function passTime(rig: Rig): Promise<void> {
  for (let second = 0; second < 10; second += 1) {
    await turns();
    rig.clock.advance(1_000);
  }
  await turns();
}

/** What the edited replies show now, as a person reads it. */
function readEdits(rig: Rig): readonly { text: string; buttons: readonly string[] }[] {
  return rig.chat.replyEdits.map(({ notice, outcome }) => ({
    text: `${outcome.text}\n${notice.kind === "text" ? notice.text : ""}`,
    buttons: (outcome.buttons ?? []).map(({ choice }) => choice.label),
  }));
}

const readId = (rig: Rig, { promptId }: PromptEvent): string => rig.store.prompts.find(promptId)!.shortId;

describe("a reply with a button for an open prompt", () => {
  it("loses the button once the prompt is answered at the terminal, and says so", async () => {
    const rig = await makeRig();
    const event = await rig.raise(YES_NO);
    await say(rig, "yes");
    expect(readEdits(rig)).toEqual([]);
    await answerAtTerminal(rig, event);
    const line = `${readId(rig, event)}  claude: ${event.excerpt}`;
    expect(readEdits(rig)).toEqual([{ text: `${AT_TERMINAL}\n${line}`, buttons: [] }]);
    expect(rig.chat.replyEdits[0]!.outcome.final).toBe(true);
    // Not twice.
    await passTime(rig);
    expect(rig.chat.replyEdits).toHaveLength(1);
  });

  it("shows the answer that its own button gave", async () => {
    const rig = await makeRig();
    const event = await rig.raise(YES_NO);
    const [button] = await say(rig, "yes");
    const ref = { place: "p1", reply: 1 };
    const from = { identity: asId<Identity>("chat:1"), place: "p1", receivedAt: 0 };
    await rig.chat.receive({ kind: "tap", token: button!.token, ref, ...from });
    expect(rig.link.replies).toMatchObject([{ value: "y" }]);
    await rig.begin(event);
    await rig.end(event);
    await passTime(rig);
    expect(readEdits(rig)).toMatchObject([{ buttons: [] }]);
    expect(readEdits(rig)[0]!.text).toMatch(/^✅ Yes, by Ara/);
    expect(rig.store.deliveries.listCards(event.promptId)).toHaveLength(1);
  });

  it("keeps the buttons of the other prompts that it offers, until they are settled, too", async () => {
    const rig = await makeRig();
    const [first, second] = [await rig.raise(YES_NO, 1), await rig.raise(YES_NO, 2)];
    const [a, b] = [first, second].map((event) => readId(rig, event));
    await say(rig, "no");
    await answerAtTerminal(rig, first);
    await answerAtTerminal(rig, second);
    const [one, two] = [a, b].map((id) => `${id}  claude: ${first.excerpt}`);
    expect(readEdits(rig)).toEqual([
      { text: `${a}: ${AT_TERMINAL}\nTap to answer with it:\n${two}`, buttons: [`${b}: “No”`] },
      { text: `${a}: ${AT_TERMINAL}\n${b}: ${AT_TERMINAL}\n${one}\n${two}`, buttons: [] },
    ]);
    const [kept] = rig.chat.replyEdits.map(({ outcome }) => outcome.buttons?.[0]?.token);
    expect(rig.chat.answers.at(-1)!.answer.buttons!.map(({ token }) => token)).toContain(kept);
  });

  it("is settled by the next hub, if this one ends first", async () => {
    const rig = await makeRig();
    const event = await rig.raise(YES_NO);
    await say(rig, "yes");
    await rig.core.stop();
    const again = await makeRig({ path: rig.path, chat: rig.chat });
    await answerAtTerminal(again, event);
    expect(readEdits(again)).toMatchObject([{ buttons: [] }]);
  });

  it("is settled at once if its prompt was answered while the reply was on its way", async () => {
    const rig = await makeRig();
    const event = await rig.raise(YES_NO);
    let post: () => void = () => undefined;
    const respond = rig.chat.respond.bind(rig.chat);
    rig.chat.respond = async (raw, answer) => {
      await new Promise<void>((resolve) => (post = resolve));
      return respond(raw, answer);
    };
    await rig.chat.text("yes");
    await answerAtTerminal(rig, event);
    expect(rig.chat.replyEdits).toEqual([]);
    post();
    await passTime(rig);
    expect(readEdits(rig)).toMatchObject([{ buttons: [] }]);
  });

  it("is left alone where it cannot be edited, and stands in the way of no reminder", async () => {
    const prompts = { ...SETTINGS.prompts, remind_after: [300_000] };
    const rig = await makeRig({ settings: { ...SETTINGS, prompts } });
    rig.chat.postsReplies = false;
    const event = await rig.raise(YES_NO);
    await say(rig, "yes");
    rig.clock.advance(300_000);
    await turns();
    expect(rig.chat.texts()).toHaveLength(1);
    await answerAtTerminal(rig, event);
    expect(rig.chat.replyEdits).toEqual([]);
  });

  it("stands in the way of no reminder while it is not known to be posted", async () => {
    const prompts = { ...SETTINGS.prompts, remind_after: [300_000] };
    const rig = await makeRig({ settings: { ...SETTINGS, prompts } });
    rig.chat.respond = () => new Promise(() => undefined);
    await rig.raise(YES_NO);
    await rig.chat.text("yes");
    rig.clock.advance(300_000);
    await turns();
    expect(rig.chat.texts()).toHaveLength(1);
  });

  it("is answered in writing, too, unless it offers several prompts: then nothing says which", async () => {
    const rig = await makeRig();
    const event = await rig.raise(YES_NO);
    await say(rig, "yes");
    await rig.raise(YES_NO, 2);
    await say(rig, "yes");
    await rig.chat.text("no", { ref: { place: "p1", reply: 2 } });
    expect(rig.link.replies).toEqual([]);
    await rig.chat.text("no", { ref: { place: "p1", reply: 1 } });
    expect(rig.link.replies).toMatchObject([{ promptId: event.promptId, value: "n" }]);
  });
});
