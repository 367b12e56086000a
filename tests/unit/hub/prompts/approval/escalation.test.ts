/** `escalate`: after each step people are reminded, and those whom it names may answer, too. */
import { join } from "node:path";
import { asId, type Identity } from "../../../../../src/model/ids.js";
import { describe, expect, it } from "vitest";
import { readTerms } from "../../../../../src/hub/policy/verdict.js";
import { CAPABILITIES, configureChannel, FakeChannel, turns } from "../../fake-channel.js";
import { SESSION, SETTINGS, tempDirectory, type Rig, type RigOptions } from "../../rig.js";
import { asking, MINUTE, PEOPLE, raise, repliesTo, readShortId } from "./asking.js";

const STEPS = "approvers: [Ara], escalate: [{ after: 5m, to: Ben }, { after: 10m, to: Cat }]";

/** What came as text. */
const texts = (rig: Rig): readonly string[] => rig.chat.texts();
const pass = async (rig: Rig, ms: number): Promise<void> => {
  rig.clock.advance(ms);
  await turns();
};
const say = (rig: Rig, shortId: string, value: string, who: number) =>
  rig.chat.text(`answer ${shortId} ${value}`, { identity: `chat:${who}` });

describe("escalation", () => {
  it("reminds after each step, names whom it concerns, and lets them answer from then on", async () => {
    const rig = await asking(STEPS);
    const event = await raise(rig);
    const shortId = readShortId(rig, event);
    await say(rig, shortId, "1", 2);
    expect(rig.chat.lastAnswer).toContain("You may not answer");
    await pass(rig, 5 * MINUTE);
    expect(texts(rig).at(-1)).toMatch(/^⏰ \w+ is still waiting for an answer; Ben is now asked as well\. /);
    await say(rig, shortId, "1", 3);
    expect(rig.readState(event)).toBe("pending");
    await pass(rig, 5 * MINUTE);
    expect(texts(rig).at(-1)).toContain("Cat is now asked as well");
    await say(rig, shortId, "1", 3);
    expect(repliesTo(rig, event)).toMatchObject([{ value: "1" }]);
    await pass(rig, 20 * MINUTE);
    expect(texts(rig).filter((text) => text.startsWith("⏰"))).toHaveLength(2);
  });

  it("tells the session and the user that a prompt reaches nobody who may answer, until a step reaches somebody", async () => {
    const mine = configureChannel(new FakeChannel(), { personAt: () => asId<Identity>("chat:2") });
    const rig = await asking("approvers: [Ara], escalate: [{ after: 5m, to: Ben }]", {
      configuredChannels: () => [mine],
    });
    rig.core.reach.noteHealth("chat", { state: "connected" });
    const event = await raise(rig);
    const problem = "chat: nobody who may answer reads its chats";
    const list = () => rig.core.handlers["prompts.list"]({ all: false }, { sessionId: null });
    expect(rig.link.reaches.at(-1)).toMatchObject({
      problem: null,
      unreachedPrompts: { [event.promptId]: problem },
    });
    expect(await list()).toMatchObject([{ unreached: problem }]);
    const unreached = () => rig.core.reach.summarizeUnreachedPrompts();
    expect(unreached()).toEqual({ count: 1, shortIds: [readShortId(rig, event)] });
    await pass(rig, 5 * MINUTE);
    expect(rig.link.reaches.at(-1)).toEqual({ channels: ["chat"], problem: null, isPending: false });
    expect((await list())[0]).not.toHaveProperty("unreached");
    expect(unreached()).toEqual({ count: 0, shortIds: [] });
  });

  it("names nobody who may not answer: a viewer, or a name that the configuration does not have", async () => {
    const rig = await asking("approvers: [Ara], escalate: [{ after: 5m, to: Dan }, { after: 10m, to: Bem }]");
    await raise(rig);
    await pass(rig, 5 * MINUTE);
    expect(texts(rig).at(-1)).toMatch(/^⏰ \w+ is still waiting for an answer\. /);
    await pass(rig, 5 * MINUTE);
    expect(texts(rig).at(-1)).toMatch(/^⏰ \w+ is still waiting for an answer\. /);
  });

  it("sends one reminder for steps that fell due together, and both count", async () => {
    const path = join(tempDirectory(), "atlasbridge.db");
    const first = await asking(STEPS, { path });
    const event = await raise(first);
    first.store.close();
    first.clock.advance(12 * MINUTE);
    const rig = await asking(STEPS, { path, chat: first.chat, clock: first.clock });
    await pass(rig, 1);
    expect(texts(rig).filter((text) => text.startsWith("⏰"))).toHaveLength(1);
    await say(rig, readShortId(rig, event), "1", 2);
    expect(repliesTo(rig, event)).toMatchObject([{ value: "1" }]);
  });

  it("goes on where it was when the answer was not put in, and the prompt is asked again", async () => {
    const rig = await asking(STEPS);
    const event = await raise(rig);
    await pass(rig, 5 * MINUTE);
    await say(rig, readShortId(rig, event), "1", 2);
    const replyId = rig.store.prompts.find(event.promptId)?.replyId ?? "";
    await rig.core.handlers["reply.refuse"](
      { promptId: event.promptId, replyId, rejection: { code: "typing", text: "typing" }, stillAsked: true },
      { sessionId: event.sessionId },
    );
    await pass(rig, 5 * MINUTE);
    expect(texts(rig).at(-1)).toContain("Cat is now asked as well");
    await say(rig, readShortId(rig, event), "1", 3);
    expect(rig.readState(event)).toBe("answering");
  });

  const TAP = { kind: "tap", identity: asId<Identity>("chat:2"), place: "2", receivedAt: 0 } as const;
  const own = (chat: Parameters<NonNullable<RigOptions["configuredChannels"]>>[0]) => [
    configureChannel(chat, {
      capabilities: { ...CAPABILITIES, pace: { place: () => [], all: [], edits: [] } },
      places: ["1", "2"],
      personAt: (place) => `chat:${place}` as never,
    }),
  ];

  it("opens the card in a chat of theirs where it could not be answered before", async () => {
    const rig = await asking(STEPS, { configuredChannels: own });
    const event = await raise(rig);
    const at = (place: string) => rig.chat.cards().filter(({ ref }) => ref.place === place);
    expect(at("2").flatMap(({ notice }) => notice.buttons)).toEqual([]);
    await pass(rig, 5 * MINUTE);
    const [opened] = at("2");
    expect(opened?.outcome).toMatchObject({ text: "⏫ You may answer now, too", final: false });
    const yes = opened?.outcome?.buttons?.find(({ value }) => value === "1");
    await rig.chat.receive({ ...TAP, token: yes?.token ?? "", ref: opened!.ref });
    expect(repliesTo(rig, event)).toMatchObject([{ value: "1" }]);
    expect(at("2")).toHaveLength(1);
  });

  it("claims of nobody without a chat here that they are asked", async () => {
    const rig = await asking(STEPS, { configuredChannels: own });
    await raise(rig);
    await pass(rig, 5 * MINUTE);
    expect(texts(rig).at(-1)).toContain("; Ben is now asked as well. ");
    await pass(rig, 5 * MINUTE);
    expect(texts(rig).at(-1)).toContain("; nobody (Cat has no chat here) is now asked as well. ");
  });

  it("sends the card to a chat of theirs that the session's route leaves out", async () => {
    const routes = [{ deliver_to: ["chat:1"] }];
    const rig = await asking(STEPS, {
      configuredChannels: own,
      settings: { ...SETTINGS, people: PEOPLE, routes },
    });
    const event = await raise(rig);
    expect(rig.chat.cards().map(({ ref }) => ref.place)).toEqual(["1"]);
    await pass(rig, 5 * MINUTE);
    const sent = rig.chat.cards().at(-1)!;
    expect(sent.ref.place).toBe("2");
    await rig.chat.receive({ ...TAP, token: sent.notice.buttons[0]?.token ?? "", ref: sent.ref });
    expect(repliesTo(rig, event)).toMatchObject([{ value: "1" }]);
  });
});

/** What may happen, in every order: exactly one decision, and never by somebody whose step had not come. */
it.each(["deadline", "withdrawal"] as const)(
  "makes exactly one decision in every order of steps, answers and the %s",
  async (last) => {
    type Happening = "step 1" | "step 2" | "ara no" | "ben yes" | "cat yes" | typeof last;
    const ALL: readonly Happening[] = ["step 1", "step 2", "ara no", "ben yes", "cat yes", last];
    function* orders(left: readonly Happening[]): Generator<readonly Happening[]> {
      if (left.length === 0) yield [];
      for (const first of left)
        for (const rest of orders(left.filter((each) => each !== first))) yield [first, ...rest];
    }
    /** The rules in one breath. */
    function expectEnd(order: readonly Happening[]): {
      readonly value: string | null;
      readonly state: string;
    } {
      let steps = 0;
      let value: string | null = null;
      for (const each of order) {
        if (each === "withdrawal") return { value, state: "withdrawn" };
        if (value !== null) continue;
        if (each === "deadline") return { value, state: "expired" };
        if (each.startsWith("step")) steps += 1;
        if (each === "ara no") value = "3";
        if ((each === "ben yes" && steps > 0) || (each === "cat yes" && steps > 1)) value = "1";
      }
      return { value, state: "answering" };
    }
    const rig = await asking(STEPS);
    const who = { ara: 1, ben: 2, cat: 3 } as const;
    let n = 0;
    for (const order of orders(ALL)) {
      const event = await raise(rig, (n += 1));
      const shortId = readShortId(rig, event);
      expect(readTerms(rig.store.prompts.find(event.promptId)?.verdict ?? "{}").escalate).toHaveLength(2);
      for (const each of order) {
        if (each === "deadline") await pass(rig, 30 * MINUTE);
        else if (each.startsWith("step")) await pass(rig, 5 * MINUTE);
        else if (each === "withdrawal")
          await rig.core.handlers["prompt.withdraw"](
            { promptId: event.promptId, reason: "left_screen" },
            { sessionId: SESSION },
          );
        else {
          const [name = "ara", what] = each.split(" ");
          await say(rig, shortId, what === "no" ? "3" : "1", who[name as keyof typeof who]);
        }
      }
      const found = { value: repliesTo(rig, event)[0]?.value ?? null, state: rig.readState(event) };
      expect([order.join(", "), found]).toEqual([order.join(", "), expectEnd(order)]);
      expect(repliesTo(rig, event).length).toBeLessThan(2);
    }
    expect(n).toBe(720);
  },
);
