/** Once a person or their private chat is taken out of the configuration, nothing new is posted there. */
import { describe, expect, it } from "vitest";
import { asId, type Identity } from "../../../../src/model/ids.js";
import type { ConfiguredChannel } from "../../../../src/hub/people/routing.js";
import { CAPABILITIES, configureChannel, turns } from "../fake-channel.js";
import { ARA, makeRig, SESSION, SETTINGS, type Rig } from "../rig.js";

const BOB = { name: "Bob", identities: ["chat:2"], role: "approver" } as const;
const HELD_MS = 20_000;
const REMIND_MS = 60_000;
const prompts = { ...SETTINGS.prompts, deliver_after: HELD_MS, remind_after: [REMIND_MS] };
const WITH_BOB = { ...SETTINGS, people: [ARA, BOB], prompts };
const CALLER = { sessionId: SESSION };

/** `p1` is a group, `p2` is Bob's private chat. */
const TRAITS: Partial<ConfiguredChannel> = {
  places: ["p1", "p2"],
  personAt: (place) => (place === "p2" ? asId<Identity>("chat:2") : null),
};

type Removal = (rig: Rig, traits: Partial<ConfiguredChannel>) => Promise<void>;

const REMOVALS: readonly (readonly [string, Removal])[] = [
  [
    "Bob is out of `people`",
    (rig) => {
      rig.core.reconfigure({ ...WITH_BOB, people: [ARA] });
      return turns();
    },
  ],
  [
    "his chat is out of `deliver_to`",
    (rig, traits) => rig.core.useChannels([configureChannel(rig.chat, { ...traits, places: ["p1"] })]),
  ],
];

async function openWithBob(traits = TRAITS): Promise<Rig> {
  const rig = await makeRig({
    settings: WITH_BOB,
    configuredChannels: (chat) => [configureChannel(chat, traits)],
  });
  await rig.core.handlers["session.typed"]({ agoMs: 60_000 }, CALLER);
  return rig;
}

async function endTurn(rig: Rig, said: string): Promise<void> {
  await rig.core.handlers["session.state"]({ state: "working" } as never, CALLER);
  await rig.core.handlers["session.state"]({ state: "idle", said } as never, CALLER);
  await turns();
}

const listPlaces = ({ chat }: Rig): string[] => chat.messages.map(({ notice }) => notice.place);

describe.each(REMOVALS)("once %s", (_, remove) => {
  it("a card that was held back comes to the group only", async () => {
    const rig = await openWithBob();
    await rig.core.handlers["session.typed"]({ agoMs: 0 }, CALLER);
    await rig.raise();
    await remove(rig, TRAITS);
    rig.clock.advance(HELD_MS);
    await turns();
    expect(listPlaces(rig)).toEqual(["p1"]);
    expect(rig.store.outbox.count()).toBe(0);
  });

  it("the reminder, the end of a turn and the end of the session come to the group only", async () => {
    const rig = await openWithBob();
    await rig.raise();
    await endTurn(rig, "First.");
    rig.clock.advance(HELD_MS);
    await turns();
    expect(listPlaces(rig).sort()).toEqual(["p1", "p1", "p2", "p2"]);
    await remove(rig, TRAITS);
    rig.clock.advance(REMIND_MS);
    await turns();
    await endTurn(rig, "Second.");
    rig.clock.advance(HELD_MS);
    await turns();
    await rig.core.handlers["session.close"]({ sessionId: SESSION, exitCode: 1, signal: null }, CALLER);
    rig.clock.advance(HELD_MS);
    await turns();
    const later = rig.chat.messages.slice(4);
    expect(later.map(({ notice }) => notice.place)).toEqual(["p1", "p1", "p1"]);
  });

  it("a card that was posted there is still edited", async () => {
    const rig = await openWithBob();
    const { promptId } = await rig.raise();
    await turns();
    await remove(rig, TRAITS);
    await turns();
    await rig.core.handlers["prompt.withdraw"]({ promptId, reason: "left_screen" }, CALLER);
    rig.clock.advance(1_000);
    await turns();
    const his = rig.chat.cards().find(({ notice }) => notice.place === "p2");
    expect(his?.outcome).toMatchObject({ state: "withdrawn", final: true });
  });

  it("a service without edits is not told the outcome there, which would be a new message", async () => {
    const traits = { ...TRAITS, capabilities: { ...CAPABILITIES, edit: false } };
    const rig = await openWithBob(traits);
    const { promptId } = await rig.raise();
    await turns();
    await remove(rig, traits);
    await rig.core.handlers["prompt.withdraw"]({ promptId, reason: "left_screen" }, CALLER);
    rig.clock.advance(1_000);
    await turns();
    expect(listPlaces(rig)).toEqual(["p1", "p2", "p1"]);
  });
});

it("a removed person's open card loses its buttons and says why", async () => {
  const rig = await openWithBob();
  await rig.raise();
  await turns();
  rig.core.reconfigure({ ...WITH_BOB, people: [ARA] });
  await turns();
  const his = rig.chat.cards().find(({ notice }) => notice.place === "p2");
  expect(his?.outcome).toMatchObject({ text: "⏬ You may not answer any more", buttons: [] });
});

it("somebody who is added again gets the card that was not sent to them", async () => {
  const rig = await openWithBob();
  await rig.core.handlers["session.typed"]({ agoMs: 0 }, CALLER);
  await rig.raise();
  rig.core.reconfigure({ ...WITH_BOB, people: [ARA] });
  rig.clock.advance(HELD_MS);
  await turns();
  rig.core.reconfigure(WITH_BOB);
  await turns();
  expect(listPlaces(rig)).toEqual(["p1", "p2"]);
  expect(rig.chat.cards()[1]?.notice.buttons.length).toBeGreaterThan(0);
});
