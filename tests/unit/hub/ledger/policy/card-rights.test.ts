/** A card has buttons only for people who may answer it: also after the configuration changed, with the hub running or not. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { asId } from "../../../../../src/model/ids.js";
import { CAPABILITIES, configureChannel, turns, type FakeChannel } from "../../fake-channel.js";
import { ARA, makeRig, SETTINGS, tempDirectory, type Rig, type RigOptions } from "../../rig.js";
import { BEN, raise } from "../../prompts/approval/asking.js";

const QUICK = { ...CAPABILITIES, pace: { place: () => [], all: [], edits: [] } };
const AS_VIEWER = { ...BEN, role: "viewer" } as const;

function configure(chat: FakeChannel): ReturnType<typeof configureChannel>[] {
  return [
    configureChannel(chat, {
      capabilities: QUICK,
      places: ["1", "2"],
      personAt: (place) => asId(`chat:${place}`),
    }),
  ];
}

function rigOf(over: RigOptions = {}): Promise<Rig> {
  return makeRig({
    settings: { ...SETTINGS, people: [ARA, BEN] },
    configuredChannels: configure,
    ...over,
  });
}

/** What Ben reads below his card, and how many buttons his card has; null while it is as it was posted. */
function readBens(rig: Rig): { readonly text: string; readonly buttons: number } | null {
  const outcome = rig.chat.cards().find(({ ref }) => ref.place === "2")?.outcome;
  return outcome ? { text: outcome.text, buttons: outcome.buttons?.length ?? 0 } : null;
}

const CLOSED = { text: "⏬ You may not answer any more", buttons: 0 };

describe("an open card", () => {
  it.each([
    ["who is not listed any more", [ARA]],
    ["who may only look now", [ARA, AS_VIEWER]],
  ])("loses its buttons for a person %s", async (_who, people) => {
    const rig = await rigOf();
    await raise(rig, 1);
    await turns(20);
    expect(readBens(rig)).toBeNull();
    rig.core.reconfigure({ ...SETTINGS, people });
    await turns(20);
    expect(readBens(rig)).toEqual(CLOSED);
  });

  it("gets buttons for a person who may answer now", async () => {
    const rig = await rigOf({ settings: { ...SETTINGS, people: [ARA, AS_VIEWER] } });
    await raise(rig, 1);
    await turns(20);
    rig.core.reconfigure({ ...SETTINGS, people: [ARA, BEN] });
    await turns(20);
    expect(readBens(rig)).toEqual({
      text: "⏫ You may answer now, too",
      buttons: expect.any(Number) as number,
    });
    expect(readBens(rig)?.buttons).toBeGreaterThan(0);
  });

  it("loses its buttons also where the hub was not running while the people changed", async () => {
    const path = join(tempDirectory(), "atlasbridge.db");
    const before = await rigOf({ path });
    await raise(before, 1);
    await turns(20);
    before.store.close();
    const rig = await rigOf({ path, chat: before.chat, settings: { ...SETTINGS, people: [ARA] } });
    await turns(20);
    expect(readBens(rig)).toEqual(CLOSED);
  });

  it("stays as it is where nobody's right changed", async () => {
    const rig = await rigOf();
    await raise(rig, 1);
    await turns(20);
    rig.core.reconfigure({ ...SETTINGS, people: [ARA, BEN] });
    await turns(20);
    expect(readBens(rig)).toBeNull();
  });
});
