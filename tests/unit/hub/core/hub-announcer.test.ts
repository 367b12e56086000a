/** A hub that stops by itself tells each chat once, in plain words, and says when it goes on; nothing floods a chat. */
import { renameSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  LOOK_EVERY_MS,
  PLACE_CHECK_EVERY_MS,
  TELL_AGAIN_MS,
} from "../../../../src/hub/core/hub-announcer.js";
import type { Config } from "../../../../src/config/schema.js";
import { asId, type Identity } from "../../../../src/model/ids.js";
import { AtlasBridgeError } from "../../../../src/model/errors.js";
import { DeliveryError } from "../../../../src/sdk/channel.js";
import { configureChannel, turns } from "../fake-channel.js";
import { makeRig as makeUnwatched, SETTINGS, type Rig, type RigOptions } from "../rig.js";

const ARA = "cli:local" as never;
async function makeRig(options: RigOptions = {}): Promise<Rig> {
  const rig = await makeUnwatched(options);
  rig.core.announcer.start();
  return rig;
}

async function pass(rig: Rig, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= PLACE_CHECK_EVERY_MS) rig.clock.advance(PLACE_CHECK_EVERY_MS);
  await turns(8);
}

/** Long enough for two looks. */
const looks = (rig: Rig): Promise<void> => pass(rig, 3 * LOOK_EVERY_MS);

describe("a hub that stops by itself", () => {
  it("tells every chat once that its database was removed, also after a restart, and that it goes on", async () => {
    const two = (chat: Rig["chat"]) => [configureChannel(chat, { places: ["p1", "p2"] })];
    const rig = await makeRig({ configuredChannels: two });
    renameSync(rig.path, `${rig.path}.away`);
    await pass(rig, 2 * TELL_AGAIN_MS);
    expect(rig.chat.announced).toEqual([
      expect.stringMatching(/^p1: .*removed or replaced/),
      expect.stringMatching(/^p2: .*removed or replaced/),
    ]);
    renameSync(`${rig.path}.away`, rig.path);
    await looks(rig);
    const goesOn = "▶️ AtlasBridge goes on: its database is back.";
    expect(rig.chat.announced.slice(2)).toEqual([`p1: ${goesOn}`, `p2: ${goesOn}`]);
    await pass(rig, 2 * TELL_AGAIN_MS);
    expect(rig.chat.announced).toHaveLength(4);
  });

  it("says nothing of a pause that a person made", async () => {
    const rig = await makeRig();
    await rig.core.setPaused(true, ARA);
    await looks(rig);
    expect(rig.chat.announced).toEqual([]);
  });

  it("tells that its database cannot be written, and that it can again, only once it was", async () => {
    const rig = await makeRig();
    const { store } = rig;
    const write = store.write.bind(store);
    let isFull = true;
    store.write = (work) => {
      if (isFull) throw new AtlasBridgeError("ATB_STORE_FAILED", "it could not be written (SQLITE_FULL)");
      return write(work);
    };
    await looks(rig);
    // Nothing had to be written yet, so nothing is known.
    expect(rig.chat.announced).toEqual([]);
    await rig.raise().catch(() => undefined);
    await pass(rig, 20 * LOOK_EVERY_MS);
    expect(rig.chat.announced).toEqual([
      "p1: ⚠️ AtlasBridge relays no new prompts and accepts no answers: it cannot write to its database. New prompts show only where they are asked.",
    ]);
    isFull = false;
    await looks(rig);
    expect(rig.chat.announced.slice(1)).toEqual([
      "p1: ▶️ AtlasBridge goes on: it can write to its database again.",
    ]);
  });

  it("tells it also where only a tap could not be stored", async () => {
    const rig = await makeRig();
    await rig.raise();
    const { store } = rig;
    store.write = () => {
      throw new AtlasBridgeError("ATB_STORE_FAILED", "it could not be written (SQLITE_FULL)");
    };
    await expect(rig.chat.tap(rig.chat.cards()[0]!, "2")).rejects.toThrow("SQLITE_FULL");
    await looks(rig);
    expect(rig.chat.announced).toEqual([expect.stringContaining("it cannot write to its database")]);
  });

  it("says by the next hub that it goes on, once, where its own trouble was told and it ended with that", async () => {
    const rig = await makeRig();
    renameSync(rig.path, `${rig.path}.away`);
    await looks(rig);
    const { path, clock, chat } = rig;
    expect(chat.announced).toHaveLength(1);
    expect(statSync(join(dirname(path), "hub.told")).mode & 0o777).toBe(0o600);
    renameSync(`${path}.away`, path);
    await rig.core.stop();
    const after = await makeRig({ path, clock, chat });
    await looks(after);
    expect(chat.announced.slice(1)).toEqual(["p1: ▶️ AtlasBridge goes on: it was started again."]);
    await after.core.stop();
    await looks(await makeRig({ path, clock, chat }));
    expect(chat.announced).toHaveLength(2);
  });

  it("floods nobody where a disk is full now and then", async () => {
    const rig = await makeRig();
    const { store } = rig;
    const write = store.write.bind(store);
    let isFull = false;
    store.write = (work) => {
      if (isFull) throw new AtlasBridgeError("ATB_STORE_FAILED", "it could not be written (SQLITE_FULL)");
      return write(work);
    };
    for (let round = 0; round < 20; round++) {
      isFull = round % 2 === 0;
      await rig.raise({}, round + 1).catch(() => undefined);
      await looks(rig);
    }
    // Ten troubles within five minutes.
    expect(rig.chat.announced).toHaveLength(2);
  });

  it("tells that its database was removed, and that it is back", async () => {
    const rig = await makeRig();
    renameSync(rig.path, `${rig.path}.away`);
    await looks(rig);
    expect(rig.chat.announced).toHaveLength(1);
    expect(rig.chat.announced[0]).toContain("its database was removed or replaced");
    renameSync(`${rig.path}.away`, rig.path);
    await looks(rig);
    expect(rig.chat.announced.slice(1)).toEqual(["p1: ▶️ AtlasBridge goes on: its database is back."]);
  });

  it("tells later where its channel was closed at first", async () => {
    const closed = { start: () => Promise.resolve(), stop: () => Promise.resolve() } as never;
    const rig = await makeRig({ configuredChannels: () => [configureChannel(closed, { places: [] })] });
    renameSync(rig.path, `${rig.path}.away`);
    await looks(rig);
    await rig.core.useChannels([configureChannel(rig.chat)]).catch(() => undefined);
    await looks(rig);
    expect(rig.chat.announced).toEqual([expect.stringContaining("removed or replaced")]);
  });

  it("tells that its disk limit is reached", async () => {
    const rig = await makeRig({ settings: { ...SETTINGS, ledger: { keep_for: 0, disk_limit_mb: 0 } } });
    await looks(rig);
    expect(rig.chat.announced).toHaveLength(1);
    expect(rig.chat.announced[0]).toContain("its disk limit is reached");
  });

  it.each([
    ["not_sent", 2],
    ["unknown", 1],
  ] as const)("tells a chat again only if it certainly got nothing (%s)", async (certainty, attempts) => {
    const rig = await makeRig();
    let tries = 0;
    rig.chat.announceFault = () => {
      tries += 1;
      if (tries === 1) throw new DeliveryError("away", { certainty });
    };
    renameSync(rig.path, `${rig.path}.away`);
    for (let times = 0; times < 5; times++) await looks(rig);
    expect(tries).toBe(attempts);
    expect(rig.chat.announced).toHaveLength(attempts - 1);
  });
});

describe("a new approver", () => {
  const ANN = { name: "Ann", identities: ["chat:1"], role: "approver" } as const;
  const BO = { name: "Bo", identities: ["chat:2"], role: "approver" } as const;
  const VI = { ...BO, role: "viewer" } as const;
  const personAt = (place: string) => (place === "group" ? null : asId<Identity>(`chat:${place}`));

  it.each<[string, Config["people"], string[]]>([
    ["is told to the others", [ANN, BO], ["1", "group"]],
    ["is told only once they may answer", [ANN, VI], []],
  ])("%s", async (_, people, places) => {
    const rig = await makeRig({
      settings: { ...SETTINGS, people: [ANN, VI] },
      configuredChannels: (chat) => [configureChannel(chat, { places: ["1", "2", "group"], personAt })],
    });
    const chats = rig.core.announcer.listChats();
    rig.core.reconfigure({ ...SETTINGS, people });
    await rig.core.announcer.tellOfApprovers([ANN, VI], chats);
    const text = "👤 Prompts may now be answered by Bo (chat:2), too.";
    expect(rig.chat.announced).toEqual(places.map((place) => `${place}: ${text}`));
  });
});
