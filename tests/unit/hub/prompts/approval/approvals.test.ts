/** Prompts that take more than a tap: several people, and a number that must be written. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { PromptEvent } from "../../../../../src/model/prompt.js";
import { turns } from "../../fake-channel.js";
import { ARA, SESSION, SETTINGS, tempDirectory, type Rig } from "../../rig.js";
import { asking, BEN, card, CAT, readNumber, raise, repliesTo, readShortId } from "./asking.js";

/** Never the number itself. */
const otherThan = (number: number): number => (number === 99 ? 10 : number + 1);

describe("quorum", () => {
  it("takes two different people, and the card says who has said yes", async () => {
    const rig = await asking("quorum: 2");
    const event = await raise(rig);
    expect(card(rig).notice.policyNote).toContain("2 different people must say yes");
    await rig.chat.tap(card(rig), "1", "chat:1");
    expect(rig.chat.lastAnswer).toBe("1 of 2 said yes. Nothing was typed yet: 1 more must approve.");
    expect(card(rig).outcome).toMatchObject({ text: "🗳 1 of 2: Ara said “Yes”", final: false });
    await rig.chat.tap(card(rig), "1", "chat:1");
    await rig.chat.tap(card(rig), "1", "chat:4");
    await rig.chat.tap(card(rig), "1", "chat:9");
    expect(rig.readState(event)).toBe("pending");
    await rig.chat.tap(card(rig), "1", "chat:2");
    expect(repliesTo(rig, event)).toMatchObject([{ value: "1" }]);
    expect(rig.store.prompts.find(event.promptId)?.answeredBy).toBe("Ara and Ben");
    const steps = rig.store.audit.listSteps(event.promptId).map(({ step }) => step);
    expect(steps.filter((step) => step === "approval_given")).toHaveLength(3);
  });

  it("lets a no of one person decide at once", async () => {
    const rig = await asking("quorum: 2");
    const event = await raise(rig);
    await rig.chat.tap(card(rig), "1", "chat:1");
    await rig.chat.tap(card(rig), "3", "chat:2");
    expect(repliesTo(rig, event)).toMatchObject([{ value: "3" }]);
  });

  it("counts people, not accounts, and for the same answer only", async () => {
    const rig = await asking("quorum: 2");
    const event = await raise(rig);
    const shortId = readShortId(rig, event);
    await rig.chat.text(`answer ${shortId} 1`, { identity: "chat:1" });
    await rig.chat.text(`answer ${shortId} 2`, { identity: "chat:2" });
    expect(rig.readState(event)).toBe("pending");
    expect(card(rig).outcome?.text).toContain("1 of 2: Ara said “Yes”; 1 of 2: Ben said");
    await rig.chat.text(`answer ${shortId} 2`, { identity: "chat:1" });
    expect(repliesTo(rig, event)).toMatchObject([{ value: "2" }]);
  });

  it("counts the local user only under a person's name", async () => {
    const answer = async (rig: Rig, event: PromptEvent) =>
      rig.core.handlers["prompt.answer"](
        { shortId: readShortId(rig, event), value: "1" },
        { sessionId: null },
      );
    const unlisted = await asking("quorum: 2");
    const event = await raise(unlisted);
    expect(await answer(unlisted, event)).toMatchObject({ rejection: { code: "not_a_person" } });
    const mine = { ...ARA, identities: ["chat:1", "cli:local"] };
    const rig = await asking("quorum: 2", { settings: { ...SETTINGS, people: [mine, BEN] } });
    const other = await raise(rig);
    expect(await answer(rig, other)).toMatchObject({ rejection: { code: "more_needed" } });
    await rig.chat.tap(card(rig), "1", "chat:1");
    expect(rig.readState(other)).toBe("pending");
    await rig.chat.tap(card(rig), "1", "chat:2");
    expect(rig.readState(other)).toBe("answering");
  });

  it("keeps what was said across a restart, and forgets it when the prompt is asked anew", async () => {
    const path = join(tempDirectory(), "atlasbridge.db");
    const first = await asking("quorum: 2", { path });
    const event = await raise(first);
    await first.chat.tap(card(first), "1", "chat:1");
    first.store.close();
    const rig = await asking("quorum: 2", { path, chat: first.chat });
    await rig.chat.tap(card(rig), "1", "chat:2");
    expect(rig.readState(event)).toBe("answering");
    const replyId = rig.store.prompts.find(event.promptId)?.replyId ?? "";
    const rejection = { code: "typing", text: "somebody was typing" };
    const { promptId } = event;
    await rig.core.handlers["reply.refuse"](
      { promptId, replyId, rejection, stillAsked: true },
      { sessionId: SESSION },
    );
    await rig.chat.tap(card(rig), "1", "chat:2");
    expect(rig.readState(event)).toBe("pending");
    await rig.chat.tap(card(rig), "1", "chat:3");
    expect(rig.readState(event)).toBe("answering");
  });

  it("no longer counts somebody who may not answer any more", async () => {
    const path = join(tempDirectory(), "atlasbridge.db");
    const first = await asking("quorum: 2", { path });
    const event = await raise(first);
    await first.chat.tap(card(first), "1", "chat:1");
    first.store.close();
    const people = [{ ...ARA, role: "viewer" as const }, BEN, CAT];
    const rig = await asking("quorum: 2", { path, chat: first.chat, settings: { ...SETTINGS, people } });
    await rig.chat.tap(card(rig), "1", "chat:2");
    expect(rig.readState(event)).toBe("pending");
  });

  it("says on the card that somebody's yes no longer counts, once they may not answer any more", async () => {
    const rig = await asking("quorum: 2");
    const event = await raise(rig);
    await rig.chat.tap(card(rig), "1", "chat:1");
    expect(card(rig).outcome?.text).toContain("1 of 2: Ara said");
    rig.core.reconfigure({ ...SETTINGS, people: [BEN, CAT] });
    await turns();
    const told = "🗳 0 of 2. No longer counted: Ara, who may not answer any more";
    expect(card(rig).outcome).toMatchObject({ text: told, final: false });
    const steps = rig.store.audit.listSteps(event.promptId).map(({ step }) => step);
    expect(steps).toContain("approval_dropped");
    await rig.chat.tap(card(rig), "1", "chat:2");
    expect(card(rig).outcome?.text).toBe("🗳 1 of 2: Ben said “Yes”");
    expect(rig.readState(event)).toBe("pending");
  });

  it("says so as well where the hub was not running while the people changed", async () => {
    const path = join(tempDirectory(), "atlasbridge.db");
    const first = await asking("quorum: 2", { path });
    await raise(first);
    await first.chat.tap(card(first), "1", "chat:1");
    first.store.close();
    const rig = await asking("quorum: 2", {
      path,
      chat: first.chat,
      settings: { ...SETTINGS, people: [BEN] },
    });
    await turns();
    expect(card(rig).outcome?.text).toContain("0 of 2");
  });
});

describe("number_match", () => {
  it("takes no tap, and the number that the terminal shows only in writing", async () => {
    const rig = await asking("number_match: true");
    const event = await raise(rig);
    expect(rig.link.calls).toContain("session.mark");
    expect(card(rig).notice.policyNote).toContain("a yes needs the number");
    await rig.chat.tap(card(rig), "2");
    expect(rig.chat.lastAnswer).toContain("This yes needs the number at the tool's terminal");
    const number = await readNumber(rig, event);
    // The ids in them may end with the same digits.
    const told = JSON.stringify([rig.chat.messages, rig.chat.answers]);
    expect(told).not.toMatch(new RegExp(`(?<![\\w-])${number}"`));
    await rig.chat.text(String(number), { ref: card(rig).ref });
    // The choice that was tapped before.
    expect(repliesTo(rig, event)).toMatchObject([{ value: "2" }]);
  });

  it.each([
    [
      "in a reply, with the answer",
      (rig: Rig, _: string, number: number) => rig.chat.text(`1 ${number}`, { ref: card(rig).ref }),
    ],
    [
      "alone, where there is one yes",
      (rig: Rig, _: string, number: number) => rig.chat.text(`${number}`, { ref: card(rig).ref }),
    ],
    [
      "with a command",
      (rig: Rig, shortId: string, number: number) => rig.chat.text(`answer ${shortId} 1 ${number}`),
    ],
    [
      "on this machine",
      async (rig: Rig, shortId: string, number: number) => {
        await rig.core.handlers["prompt.answer"]({ shortId, value: "1", number }, { sessionId: null });
      },
    ],
  ] as [string, (rig: Rig, shortId: string, number: number) => Promise<void>][])(
    "takes it %s",
    async (_, say) => {
      const rig = await asking("number_match: true");
      const event = await raise(rig);
      await say(rig, readShortId(rig, event), await readNumber(rig, event));
      expect(repliesTo(rig, event)).toMatchObject([{ value: "1" }]);
    },
  );

  it("takes a no without it", async () => {
    const rig = await asking("number_match: true");
    const event = await raise(rig);
    await rig.chat.tap(card(rig), "3");
    expect(repliesTo(rig, event)).toMatchObject([{ value: "3" }]);
  });

  it("takes no yes after three wrong numbers, not even the right one", async () => {
    const rig = await asking("number_match: true");
    const event = await raise(rig);
    const number = await readNumber(rig, event);
    for (let n = 0; n < 3; n += 1) await rig.chat.text(`1 ${otherThan(number)}`, { ref: card(rig).ref });
    await rig.chat.text(`1 ${number}`, { ref: card(rig).ref });
    expect(rig.chat.lastAnswer).toContain("Three wrong numbers");
    expect(rig.readState(event)).toBe("pending");
    await rig.chat.tap(card(rig), "3");
    expect(rig.readState(event)).toBe("answering");
  });

  it("of several people the first is told it, in private, and the next must write it", async () => {
    const rig = await asking("quorum: 2, number_match: true");
    const event = await raise(rig);
    const number = await readNumber(rig, event);
    await rig.chat.tap(card(rig), "1", "chat:1");
    expect(rig.chat.lastAnswer).toContain(`must write the number ${number}`);
    // Who has missed it taps again.
    await rig.chat.tap(card(rig), "1", "chat:1");
    expect(rig.chat.lastAnswer).toContain(`must write the number ${number}`);
    await rig.chat.tap(card(rig), "1", "chat:2");
    expect(rig.readState(event)).toBe("pending");
    await rig.chat.text(`${number}`, { ref: card(rig).ref, identity: "chat:2" });
    expect(rig.store.prompts.find(event.promptId)?.answeredBy).toBe("Ara and Ben");
    const next = await raise(rig, 2);
    await rig.chat.text("1", { ref: card(rig).ref, identity: "chat:1" });
    expect(rig.chat.lastAnswer).not.toContain("number");
    expect(rig.readState(next)).toBe("pending");
  });

  it("is not told to a supervised tool", async () => {
    const rig = await asking("number_match: true");
    const event = await raise(rig);
    const shown = await rig.core.handlers["prompt.number"](
      { shortId: readShortId(rig, event) },
      { sessionId: null, isSupervised: true },
    );
    expect(shown.number).toBeNull();
  });
});
