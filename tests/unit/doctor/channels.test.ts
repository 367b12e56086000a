/** `doctor` shows the state of each channel, from the hub while one runs and else from the channel itself. */
import { describe, expect, it } from "vitest";
import type { AnyChannelPlugin } from "../../../src/plugins/channels/channels.js";
import { checkChannel } from "../../../src/doctor/channels.js";
import type { HubFacts } from "../../../src/doctor/hub.js";
import { ManualClock } from "../../../src/observe/clock.js";
import { asId, type Identity } from "../../../src/model/ids.js";
import type { ChannelFinding } from "../../../src/sdk/channel.js";
import type { HubStatus } from "../../../src/wire/listings.js";

const NO_HUB: HubFacts = { kind: "none", socket: "/s" };

const CHANNEL: HubStatus["channels"][number] = {
  id: "example",
  state: "connected",
  reason: null,
  action: null,
  since: "2026-01-01T00:00:00.000Z",
  approvers: ["Ara"],
  refused: [],
};

function hubWith(...channels: HubStatus["channels"]): HubFacts {
  const status = {
    pid: 1,
    version: "1",
    protocol: 1,
    startedAt: "",
    sessions: 0,
    openPrompts: 0,
    unanswered: [],
    paused: false,
    unreached: null,
    disk: { usedBytes: 0, limitBytes: 1, full: false },
  };
  return { kind: "serves", socket: "/s", status: { ...status, channels }, sessions: [] };
}

function check(hub: HubFacts, plugin?: Partial<AnyChannelPlugin>) {
  return checkChannel({
    id: "example",
    config: {},
    hub,
    plugin: () => Promise.resolve(plugin as AnyChannelPlugin | undefined),
    clock: new ManualClock(),
    confirmed: () => Promise.resolve(null),
    people: [{ name: "Ara", identities: ["example:1"], role: "approver" }],
  });
}

describe("a channel while a hub runs", () => {
  const told = (state: HubStatus["channels"][number]["state"], reason: string | null = null) =>
    check(hubWith({ ...CHANNEL, state, reason, action: reason === null ? null : "Do this." }));

  it("that is connected, and where nobody may answer, is a warning", async () => {
    expect(await check(hubWith({ ...CHANNEL, approvers: [] }))).toMatchObject({
      state: "warn",
      found: "the hub reports: connected; `people` lists no approver for it",
      action: "Run `atlasbridge setup example`.",
    });
  });

  it("that is connected, and one of whose chats takes nothing, is a failure that names the chat", async () => {
    const refused = [{ place: "1001", reason: "400 chat not found" }];
    expect(await check(hubWith({ ...CHANNEL, refused }))).toMatchObject({
      state: "fail",
      found: "the hub reports: connected; messages do not arrive in chat 1001: 400 chat not found",
    });
  });

  it.each([
    ["connected", "ok"],
    ["starting", "warn"],
    ["stopped", "warn"],
    ["degraded", "fail"],
    ["failed", "fail"],
  ] as const)("that the hub calls %s is %s", async (state, verdict) => {
    expect(await told(state)).toMatchObject({ name: "channel:example", state: verdict });
  });

  it("has the hub's reason and advice", async () => {
    expect(await told("degraded", "no network")).toEqual({
      name: "channel:example",
      state: "fail",
      found: "the hub reports: degraded: no network",
      action: "Do this.",
    });
  });

  it("that the hub does not know wants a reload", async () => {
    expect(await check(hubWith())).toMatchObject({ state: "warn", action: "Run `atlasbridge hub reload`." });
  });
});

describe("a channel while no hub is running", () => {
  const plugin = (finding: ChannelFinding, places: string[]) => ({
    diagnose: () => Promise.resolve(finding),
    places: () => places,
  });
  const fine: ChannelFinding = { state: "ok", found: "@bot answers", action: null };

  it("names a chat whose person is not in `people` any more", async () => {
    const personAt = (place: string) => asId<Identity>(`example:${place}`);
    const reason = "it belongs to nobody in `people`, so it gets nothing";
    const finding = await check(NO_HUB, { ...plugin(fine, ["1", "43"]), personAt });
    expect(finding).toMatchObject({
      state: "fail",
      found: `@bot answers; messages do not arrive in chat 43: ${reason}`,
    });
    expect(finding.action).toContain("`atlasbridge people add`");
    const refused = [{ place: "43", reason }];
    expect(await check(hubWith({ ...CHANNEL, refused }))).toMatchObject({ action: finding.action });
    expect(await check(NO_HUB, { ...plugin(fine, ["1"]), personAt })).toMatchObject({ state: "ok" });
  });

  it("reports its state itself", async () => {
    expect(await check(NO_HUB, plugin(fine, ["1"]))).toEqual({ name: "channel:example", ...fine });
    const broken: ChannelFinding = { state: "fail", found: "401", action: "Correct it." };
    expect(await check(NO_HUB, plugin(broken, []))).toEqual({ name: "channel:example", ...broken });
  });

  it("that works but has no place to deliver to is a warning", async () => {
    expect(await check(NO_HUB, plugin(fine, []))).toMatchObject({
      state: "warn",
      found: "@bot answers, but it is not paired",
      action: "Run `atlasbridge setup example`.",
    });
  });

  it("that cannot say needs a hub", async () => {
    expect(await check(NO_HUB, { places: () => ["1"] })).toMatchObject({ state: "warn" });
  });
});
