/**
 * Content that is partly hidden is approved only by a second button, or by words or a flag that accept what is hidden. It is
 * rejected in one step.
 */
import { describe, expect, it } from "vitest";
import type { PromptEvent } from "../../../../src/model/prompt.js";
import { asId, type Identity } from "../../../../src/model/ids.js";
import type { NoticeButton } from "../../../../src/sdk/channel.js";
import { readDatabase } from "../../../property/hub/read-database.js";
import { configureChannel, FakeChannel, turns } from "../fake-channel.js";
import { ARA, makeRig, SETTINGS, type Rig, type RigOptions } from "../rig.js";

const HIDDEN: Partial<PromptEvent> = {
  content: {
    text: "API_KEY=[37 hidden] npm test",
    cut: null,
    hidden: { characters: 37, kinds: ["token"] },
  },
};

/** A card's buttons as they are now. */
function listButtons(rig: Rig): readonly NoticeButton[] {
  return rig.chat.cards()[0]?.outcome?.buttons ?? rig.chat.cards()[0]?.notice.buttons ?? [];
}

function press(rig: Rig, token: string | undefined): Promise<void> {
  const { ref } = rig.chat.cards()[0]!;
  return rig.chat.receive({
    kind: "tap",
    token: token ?? "",
    ref,
    identity: asId<Identity>("chat:1"),
    place: "p1",
    receivedAt: 0,
  });
}

describe("an answer to content that is partly hidden", () => {
  it("is not taken from the first tap that approves: a second button says how much is hidden", async () => {
    const rig = await makeRig();
    const event = await rig.raise(HIDDEN);
    const nonce = rig.store.prompts.find(event.promptId)?.nonce;
    await rig.chat.tap(rig.chat.cards()[0]!, "1");
    expect(rig.readState(event)).toBe("pending");
    expect(rig.store.prompts.find(event.promptId)?.nonce).toBe(nonce);
    expect(rig.chat.lastAnswer).toContain("37 characters hidden (looks like a token): no answer was given");
    expect(listButtons(rig).map(({ choice }) => choice.label)).toEqual([
      "⚠️ With 37 hidden: Yes",
      "Yes, and don't ask again",
      "No",
    ]);
    await press(rig, listButtons(rig)[0]?.token);
    expect(rig.readState(event)).toBe("answering");
  });

  it.each([
    [0, [], "Another program may have drawn over what the tool asks: no", "⚠️ Maybe drawn over: Yes"],
    [
      37,
      ["token"],
      "Another program may have drawn over what the tool asks; 37 characters hidden (looks like a token): no",
      "⚠️ With 37 hidden, maybe drawn over: Yes",
    ],
  ])("says that it may be drawn over, with %d characters hidden", async (characters, kinds, told, label) => {
    const rig = await makeRig();
    const hidden = { characters, kinds, opened: true } as const;
    const event = await rig.raise({ content: { text: "npm test", cut: null, hidden } });
    await rig.chat.tap(rig.chat.cards()[0]!, "1");
    expect(rig.chat.lastAnswer).toContain(told);
    expect(listButtons(rig)[0]?.choice.label).toBe(label);
    expect(rig.readState(event)).toBe("pending");
    await press(rig, listButtons(rig)[0]?.token);
    expect(rig.readState(event)).toBe("answering");
  });

  it("is not taken from the first button however often it is tapped", async () => {
    const rig = await makeRig();
    const event = await rig.raise(HIDDEN);
    for (let tap = 0; tap < 3; tap++) await rig.chat.tap(rig.chat.cards()[0]!, "1");
    expect(rig.readState(event)).toBe("pending");
    expect(listButtons(rig)).toHaveLength(3);
  });

  it("needs the second button again once the prompt has another nonce", async () => {
    const rig = await makeRig();
    const event = await rig.raise(HIDDEN);
    await rig.chat.tap(rig.chat.cards()[0]!, "1");
    await rig.chat.tap(rig.chat.cards()[0]!, "1");
    const token = listButtons(rig)[0]?.token;
    const row = rig.store.prompts.find(event.promptId)!;
    rig.store.prompts.move(row, { nonceHash: "0".repeat(64) });
    await press(rig, token);
    expect(rig.readState(event)).toBe("pending");
    const second = readDatabase(rig.path, "SELECT token FROM tokens WHERE accepts_hidden IS NOT NULL");
    expect(second).toHaveLength(2);
  });

  it("is taken at once when it rejects", async () => {
    const rig = await makeRig();
    const event = await rig.raise(HIDDEN);
    await rig.chat.tap(rig.chat.cards()[0]!, "3");
    expect(rig.readState(event)).toBe("answering");
  });

  it("is taken in words only with the words that accept what is hidden", async () => {
    const rig = await makeRig();
    const event = await rig.raise(HIDDEN);
    const { ref } = rig.chat.cards()[0]!;
    await rig.chat.text("1", { ref });
    expect(rig.readState(event)).toBe("pending");
    expect(rig.chat.lastAnswer).toContain("reply: accept hidden 1");
    await rig.chat.text("accept hidden 1", { ref });
    expect(rig.readState(event)).toBe("answering");
  });

  it("is taken over the socket only with the flag", async () => {
    const rig = await makeRig();
    const event = await rig.raise(HIDDEN);
    const shortId = rig.store.prompts.find(event.promptId)!.shortId;
    const answer = (over: object) =>
      rig.core.handlers["prompt.answer"]({ shortId, value: "1", ...over }, { sessionId: null });
    expect(await answer({})).toMatchObject({ claimed: false, rejection: { code: "hidden" } });
    expect(rig.readState(event)).toBe("pending");
    expect(await answer({ acceptHidden: true })).toMatchObject({ claimed: true });
  });

  it("is on record with how much was hidden, and listed with it", async () => {
    const rig = await makeRig();
    const event = await rig.raise(HIDDEN);
    const [listed] = await rig.core.handlers["prompts.list"]({ all: true }, { sessionId: null });
    expect(listed?.content.hidden).toEqual({ characters: 37, kinds: ["token"] });
    await rig.core.handlers["prompt.answer"](
      { shortId: listed!.shortId, value: "1", acceptHidden: true },
      { sessionId: null },
    );
    await turns();
    expect(rig.readState(event)).toBe("answering");
    expect(JSON.stringify(readDatabase(rig.path, "SELECT details FROM audit"))).toContain("hiddenCharacters");
  });

  it("is given by no policy, not even to reject", async () => {
    const rig = await makeRig({ decide: () => ({ kind: "answer", value: "1", rule: "r", reason: "x" }) });
    const event = await rig.raise(HIDDEN);
    expect(rig.readState(event)).toBe("pending");
  });

  it("leaves free text alone where nothing is hidden", async () => {
    const rig = await makeRig();
    const event = await rig.raise({
      promptType: "free_text",
      safetyClass: "question",
      choices: [],
      defaultChoice: null,
    });
    await rig.chat.text("accept hidden 1", { ref: rig.chat.cards()[0]!.ref });
    expect(rig.store.replies.find(rig.store.prompts.find(event.promptId)?.replyId ?? "")?.value).toBe(
      "accept hidden 1",
    );
  });
});

describe("an answer to an approval that is not on the card as a whole", () => {
  async function raise(
    over: Partial<PromptEvent> = {},
    options: RigOptions = {},
  ): Promise<{ rig: Rig; event: PromptEvent }> {
    const rig = await makeRig(options);
    rig.chat.countOmitted = () => 3_000;
    return { rig, event: await rig.raise(over) };
  }

  it("is taken from the second tap, which names the count, and is on record with it", async () => {
    const { rig, event } = await raise();
    await rig.chat.tap(rig.chat.cards()[0]!, "1");
    expect(rig.readState(event)).toBe("pending");
    expect(rig.chat.lastAnswer).toBe(
      "⚠️ 3,000 characters not shown: no answer was given. Open the file, then accept.",
    );
    const [second] = listButtons(rig);
    expect(second?.choice.label).toBe("⚠️ With 3,000 not shown: Yes");
    await press(rig, second?.token);
    expect(rig.readState(event)).toBe("answering");
    expect(JSON.stringify(readDatabase(rig.path, "SELECT details FROM audit"))).toContain(
      '\\"unshownCharacters\\":3000',
    );
  });

  it("names both counts where a part is hidden as well", async () => {
    const { rig } = await raise(HIDDEN);
    await rig.chat.tap(rig.chat.cards()[0]!, "2");
    expect(rig.chat.lastAnswer).toContain(
      "37 characters hidden (looks like a token) and 3,000 characters not shown",
    );
    expect(listButtons(rig)[1]?.choice.label).toBe(
      "⚠️ With 37 hidden, 3,000 not shown: Yes, and don't ask again",
    );
  });

  it("counts what the cards of another channel leave out where the own one has none", async () => {
    const other = new FakeChannel();
    const people = [{ ...ARA, identities: [...ARA.identities, asId<Identity>("other:own")] }];
    const { rig, event } = await raise(
      {},
      {
        settings: { ...SETTINGS, people, routes: [{ deliver_to: ["chat:p1"] }] },
        configuredChannels: (chat: FakeChannel) => [
          configureChannel(chat),
          configureChannel(other, { id: "other", places: ["own"] }),
        ],
      },
    );
    const { shortId } = rig.store.prompts.find(event.promptId)!;
    const own = { identity: "other:own", place: "own" };
    await other.text(`answer ${shortId} 1`, own);
    expect(other.cards()).toEqual([]);
    expect(other.lastAnswer).toContain("3,000 characters not shown: no answer was given.");
    await other.text(`answer ${shortId} accept hidden 1`, own);
    expect(rig.readState(event)).toBe("answering");
  });

  it.each([
    ["rejects", {}, "3"],
    ["answers a question", { safetyClass: "question" }, "1"],
  ] as const)("is taken at once when it %s", async (_, over, value) => {
    const { rig, event } = await raise(over);
    await rig.chat.tap(rig.chat.cards()[0]!, value);
    expect(rig.readState(event)).toBe("answering");
  });

  it("is taken at once from this machine, and from a rule, which reads all of it", async () => {
    const { rig, event } = await raise();
    const { shortId } = rig.store.prompts.find(event.promptId)!;
    await rig.core.handlers["prompt.answer"]({ shortId, value: "1" }, { sessionId: null });
    expect(rig.readState(event)).toBe("answering");
    const ruled = await raise({}, { decide: () => ({ kind: "answer", value: "1", rule: "r", reason: "x" }) });
    expect(ruled.rig.readState(ruled.event)).toBe("answering");
  });
});

describe("the hidden part of a prompt", () => {
  async function reveal(isSupervised: boolean): Promise<{ rig: Rig; shown: unknown }> {
    const rig = await makeRig();
    const event = await rig.raise(HIDDEN);
    const shortId = rig.store.prompts.find(event.promptId)!.shortId;
    const shown = await rig.core.handlers["prompt.reveal"]({ shortId }, { sessionId: null, isSupervised });
    return { rig, shown };
  }

  it("is shown to the local user by the worker, on record, and kept nowhere", async () => {
    const { rig, shown } = await reveal(false);
    expect(shown).toEqual({ text: "API_KEY=planted-planted npm test", problem: null });
    const audit = readDatabase(rig.path, "SELECT step, details FROM audit WHERE step = 'prompt_revealed'");
    expect(audit).toHaveLength(1);
    const everything = readDatabase(
      rig.path,
      "SELECT event FROM prompts UNION ALL SELECT details FROM audit",
    );
    expect(JSON.stringify(everything)).not.toContain("planted");
  });

  it("is shown to no supervised tool, and the try is on record", async () => {
    const { rig, shown } = await reveal(true);
    expect(shown).toMatchObject({
      text: null,
      problem: expect.stringContaining("supervised tool") as string,
    });
    expect(rig.link.calls).not.toContain("prompt.reveal");
    expect(readDatabase(rig.path, "SELECT 1 FROM audit WHERE step = 'answer_rejected'")).toHaveLength(1);
  });
});
