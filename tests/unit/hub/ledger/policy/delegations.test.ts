/** A person has somebody stand in for a time: that one may answer what they may, no longer, no more, and on record. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { asId } from "../../../../../src/model/ids.js";
import { CAPABILITIES, configureChannel, turns } from "../../fake-channel.js";
import { ARA, makeRig, SETTINGS, tempDirectory, type Rig, type RigOptions } from "../../rig.js";
import {
  asking,
  BEN,
  CAT,
  MINUTE,
  PEOPLE,
  raise,
  readShortId,
  repliesTo,
} from "../../prompts/approval/asking.js";

const EVE = { name: "Eve", identities: ["chat:5"], role: "viewer" } as const;
const DAN = { name: "Dan", identities: ["chat:4"], role: "viewer" } as const;
const QUICK = { ...CAPABILITIES, pace: { place: () => [], all: [], edits: [] } };
const HOUR = 60 * MINUTE;

function rigOf(over: RigOptions = {}): Promise<Rig> {
  return makeRig({
    settings: { ...SETTINGS, people: [ARA, BEN, DAN], prompts: { ...SETTINGS.prompts, expires_after: 0 } },
    configuredChannels: (chat) => [configureChannel(chat, { capabilities: QUICK })],
    ...over,
  });
}

async function say(rig: Rig, text: string, identity = "chat:1"): Promise<string> {
  await rig.chat.text(text, { identity });
  return rig.chat.lastAnswer ?? "";
}

/** What stands on the card of the prompt at that place, and how many answers it offers. */
function readCard(rig: Rig, place: string): { readonly text: string | null; readonly buttons: number } {
  const [card] = rig.chat.cards().filter(({ ref }) => ref.place === place);
  return {
    text: card?.outcome?.text ?? null,
    buttons: (card?.outcome?.buttons ?? []).filter(({ value }) => value === "1" || value === "2").length,
  };
}

const answerAs = async (rig: Rig, who: string, n: number) => {
  const event = await raise(rig, n);
  await say(rig, `answer ${readShortId(rig, event)} 1`, who);
  return rig.readState(event);
};

describe("delegation for a time", () => {
  it("lets a viewer answer in its maker's place until its end exactly, and says so on card and record", async () => {
    const rig = await rigOf();
    expect(await answerAs(rig, "chat:4", 1)).toBe("pending");
    expect(await say(rig, "delegate to @dan for 2h")).toBe(
      "Dan may answer what you may, except where a rule asks for two people, for 2 h. To end it, write: undelegate",
    );
    rig.clock.advance(2 * HOUR - 1);
    const event = await raise(rig, 2);
    await say(rig, `answer ${readShortId(rig, event)} 1`, "chat:4");
    expect(rig.readState(event)).toBe("answering");
    expect(rig.store.prompts.find(event.promptId)?.answeredBy).toBe("Dan (for Ara)");
    const steps = [...rig.store.audit.readAfter(0)].filter(({ step }) => step === "delegation_made");
    expect(steps.map(({ details }) => JSON.parse(details) as object)).toEqual([
      { from: "Ara", to: "Dan", forMs: 2 * HOUR },
    ]);
    rig.clock.advance(1);
    expect(await answerAs(rig, "chat:4", 3)).toBe("pending");
  });

  it("ends at once when its maker says so, and is on record over a restart of the hub", async () => {
    const path = join(tempDirectory(), "atlasbridge.db");
    const before = await rigOf({ path });
    await say(before, "delegate Dan 2h");
    await before.core.stop();
    const rig = await rigOf({ path, clock: before.clock, chat: before.chat });
    expect(await say(rig, "delegations")).toBe("Dan answers for Ara: 2 h left");
    expect(await answerAs(rig, "chat:4", 1)).toBe("answering");
    expect(await say(rig, "undelegate", "chat:2")).toBe("Nobody answers in your place.");
    expect(await say(rig, "undelegate")).toBe("Ended: nobody answers in your place any more.");
    expect(await answerAs(rig, "chat:4", 2)).toBe("pending");
    expect(await say(rig, "delegations")).toBe("Nobody answers in another's place.");
  });

  it("is listed as one that holds nothing once either of the two may not answer any more", async () => {
    const rig = await rigOf();
    await say(rig, "delegate Dan 2h");
    rig.core.reconfigure({ ...SETTINGS, people: [{ ...ARA, role: "viewer" }, BEN, DAN] });
    expect(await say(rig, "delegations", "chat:2")).toBe(
      "Dan answers for Ara: 2 h left · ⚠ holds nothing: Ara may not answer any more",
    );
    rig.core.reconfigure({ ...SETTINGS, people: [ARA, BEN] });
    const listed = await rig.core.handlers["delegations.list"]({}, { sessionId: null });
    expect(listed.map(({ hold }) => hold)).toEqual(["holds nothing: Dan is not listed any more"]);
  });

  it("takes the buttons from the card of who stood in, when its time is over or another takes the place", async () => {
    const rig = await rigOf({
      configuredChannels: (chat) => [
        configureChannel(chat, {
          capabilities: QUICK,
          places: ["1", "4", "5"],
          personAt: (place) => asId(`chat:${place}`),
        }),
      ],
      settings: {
        ...SETTINGS,
        people: [ARA, BEN, DAN, EVE],
        prompts: { ...SETTINGS.prompts, expires_after: 0 },
      },
    });
    const event = await raise(rig, 1);
    await say(rig, "delegate Dan 1h");
    await turns(20);
    expect(readCard(rig, "4")).toMatchObject({ text: "⏫ You may answer now, too", buttons: 2 });
    await say(rig, "delegate Eve 1h");
    await turns(20);
    expect(readCard(rig, "4")).toMatchObject({ text: "⏬ You may not answer any more", buttons: 0 });
    expect(readCard(rig, "5")).toMatchObject({ text: "⏫ You may answer now, too", buttons: 2 });
    rig.clock.advance(HOUR);
    await turns(20);
    expect(readCard(rig, "5")).toMatchObject({ text: "⏬ You may not answer any more", buttons: 0 });
    const ends = [...rig.store.audit.readAfter(0)].filter(({ step }) => step === "delegation_ended");
    expect(ends.map(({ details }) => JSON.parse(details) as object)).toEqual([
      { from: "Ara", to: "Eve", by: "time" },
    ]);
    expect(rig.readState(event)).toBe("pending");
  });

  it("is made by approvers alone, for listed people alone, and is not passed on", async () => {
    const rig = await rigOf();
    expect(await say(rig, "delegate Ara 1h", "chat:4")).toBe("You may not do that.");
    await say(rig, "delegate Dan 1h");
    expect(await say(rig, "delegate Ben 1h", "chat:4")).toBe("You may not do that.");
    expect(await say(rig, "delegate Eve 1h")).toBe("Name somebody else of: Ara, Ben, Dan");
    expect(await say(rig, "delegate Ara 1h")).toBe("Name somebody else of: Ara, Ben, Dan");
    expect(await say(rig, "delegate Dan 9d")).toContain("At most 7 days");
    expect(await say(rig, "mode off", "chat:4")).toBe("You may not do that.");
  });

  it("is made at this machine for an approver who is named, and never by a supervised tool", async () => {
    const rig = await rigOf();
    const local = { sessionId: null };
    const { handlers } = rig.core;
    const make = async (wish: object) =>
      handlers["delegations.make"]({ to: "dan", forMs: HOUR, ...wish }, local);
    await expect(make({ inside: "s" })).rejects.toThrow("a supervised tool may not");
    await expect(make({})).rejects.toThrow("name in whose place, of: Ara, Ben");
    await expect(make({ from: "dan" })).rejects.toThrow("name in whose place");
    await expect(make({ from: "ara", to: "ara" })).rejects.toThrow("name somebody else of: Ben, Dan");
    expect(await make({ from: "ara" })).toEqual({ from: "Ara", to: "Dan" });
    expect(await answerAs(rig, "chat:4", 1)).toBe("answering");
    expect(await handlers["delegations.list"]({}, local)).toMatchObject([{ from: "Ara", to: "Dan" }]);
    expect(await handlers["delegations.end"]({ from: "Ara" }, local)).toEqual({ from: "Ara", ended: true });
    expect(await handlers["delegations.end"]({ from: "Ara" }, local)).toEqual({ from: "Ara", ended: false });
  });

  it("gives what its maker has for that prompt, and never the second of two people", async () => {
    const people = [...PEOPLE];
    const only = await asking("approvers: [Ben]", { settings: { ...SETTINGS, people } });
    await say(only, "delegate Cat 1h");
    expect(await answerAs(only, "chat:3", 1)).toBe("pending");
    await say(only, "delegate Cat 1h", "chat:2");
    expect(await answerAs(only, "chat:3", 2)).toBe("answering");
    const two = await asking("approvers: [Ara, Ben], quorum: 2", { settings: { ...SETTINGS, people } });
    await say(two, "delegate Cat 1h");
    const event = await raise(two, 1);
    await say(two, `answer ${readShortId(two, event)} 1`);
    await say(two, `answer ${readShortId(two, event)} 1`, "chat:3");
    expect(repliesTo(two, event)).toEqual([]);
    expect(CAT.role).toBe("approver");
  });
});
