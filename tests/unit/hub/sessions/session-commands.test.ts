/**
 * The command `screen` shows the terminal of a session as text or picture, and `stop` interrupts its tool on record, for those
 * who may do so.
 */
import { INTERRUPT_PROBLEM } from "../../../../src/model/interrupt-problem.js";
import { describe, expect, it } from "vitest";
import { asId, type DeliveryId, type Identity, type SessionId } from "../../../../src/model/ids.js";
import { readDatabase } from "../../../property/hub/read-database.js";
import { CAPABILITIES, configureChannel, turns, type FakeChannel } from "../fake-channel.js";
import { ARA, FakeLink, makeRig, SESSION, SETTINGS, sessionParams, type Rig } from "../rig.js";

const VI = { name: "Vi", identities: ["chat:2"], role: "viewer" } as const;
const OTHER = asId<SessionId>("33333333-3333-4333-8333-333333333333");

async function openOther(rig: Rig, over: Record<string, unknown> = {}): Promise<FakeLink> {
  const link = new FakeLink();
  await rig.core.handlers["session.open"](sessionParams({ sessionId: OTHER, tool: "codex", ...over }), {
    sessionId: null,
  });
  rig.core.connected(OTHER, link);
  return link;
}

/** The last text at the place, as a channel gets it. */
function lastText({ messages }: FakeChannel): { text: string; block: string | null } | null {
  const notice = messages.at(-1)?.notice;
  return notice?.kind === "text" ? { text: notice.text, block: notice.block } : null;
}

async function say(rig: Rig, text: string, over: Record<string, unknown> = {}): Promise<string> {
  const from = { identity: asId<Identity>("chat:1"), place: "p1", receivedAt: 0, displayName: "Ara" };
  await rig.chat.receive({ kind: "text", text, ...from, ...over });
  await turns();
  return rig.chat.lastAnswer ?? "";
}

describe("the command screen", () => {
  it.each(["screen", "/screen", "/Screen@atlas_bot", "screen claude", "screen 22222222"])(
    "%s shows the terminal, in a fixed font",
    async (words) => {
      const rig = await makeRig();
      expect(await say(rig, words)).toBe("");
      expect(rig.chat.messages).toHaveLength(1);
      expect(lastText(rig.chat)).toEqual({ text: "🖥 claude", block: "$ make\ndone" });
    },
  );

  it("shows what the hub's redaction leaves", async () => {
    const rig = await makeRig({ safeText: (text) => text.replaceAll("hunter2", "***") });
    rig.link.screen = { text: "password hunter2", problem: null };
    await say(rig, "screen");
    expect(lastText(rig.chat)?.block).toBe("password ***");
  });

  it.each([
    [{ text: "", problem: null }, "🖥 claude: the screen is empty."],
    [
      { text: null, problem: "a secret is being typed" },
      "⚠️ Cannot show the screen of claude: a secret is being typed.",
    ],
  ])("says so when there is nothing to show: %j", async (screen, told) => {
    const rig = await makeRig();
    rig.link.screen = screen;
    await say(rig, "screen");
    expect(lastText(rig.chat)).toEqual({ text: told, block: null });
  });

  it("is a picture where the place takes files and one can be drawn, and text where it cannot", async () => {
    const cells = { cols: 1, rows: 1, cursor: null, lines: [{ wrapped: false, runs: [] }] };
    const png = Uint8Array.from([137, 80, 78, 71]);
    const shownAt = async (files: boolean, painted: () => Promise<Uint8Array | null>) => {
      const rig = await makeRig({
        paintScreen: painted,
        configuredChannels: (chat) => [configureChannel(chat, { capabilities: { ...CAPABILITIES, files } })],
      });
      rig.link.screen = { text: "$ make", problem: null, cells };
      await say(rig, "screen");
      const notice = rig.chat.messages.at(-1)?.notice;
      return notice?.kind === "text" ? [notice.block, notice.picture && Buffer.from(notice.picture)] : null;
    };
    expect(await shownAt(true, () => Promise.resolve(png))).toEqual(["$ make", Buffer.from(png)]);
    expect(await shownAt(false, () => Promise.resolve(png))).toEqual(["$ make", undefined]);
    expect(await shownAt(true, () => Promise.resolve(null))).toEqual(["$ make", undefined]);
    expect(await shownAt(true, () => Promise.reject(new Error("no font")))).toEqual(["$ make", undefined]);
  });

  it("is posted with every prompt that no rule describes, once at each place", async () => {
    const cells = { cols: 1, rows: 1, cursor: null, lines: [{ wrapped: false, runs: [] }] };
    const rig = await makeRig({
      paintScreen: () => Promise.resolve(Uint8Array.from([1])),
      configuredChannels: (chat) => [
        configureChannel(chat, { capabilities: { ...CAPABILITIES, files: true } }),
      ],
    });
    rig.link.screen = { text: "??", problem: null, cells };
    await rig.raise();
    await turns();
    expect(lastText(rig.chat)).toBeNull();
    await rig.raise({ promptType: "unknown", choices: [], defaultChoice: null }, 2);
    await turns(6);
    const texts = rig.chat.messages.filter(({ notice }) => notice.kind === "text");
    expect(texts.map(({ notice }) => (notice as { picture?: Uint8Array }).picture?.length)).toEqual([1]);
  });

  it("asks which of several is meant, and takes a label, a tool, or the short id of a question", async () => {
    const rig = await makeRig();
    const other = await openOther(rig, { tool: "claude", label: "api" });
    const event = await rig.raise();
    expect(await say(rig, "screen")).toBe("Which session?\nscreen 22222222\nscreen api");
    expect(await say(rig, "screen nobody")).toContain("Which session?");
    expect(await say(rig, "screen claude")).toContain("Which session?");
    expect(other.calls).toEqual([]);
    await say(rig, "screen API");
    expect(other.calls).toEqual(["session.screen"]);
    await say(rig, `screen ${rig.store.prompts.find(event.promptId)!.shortId}`);
    expect(rig.link.calls).toContain("session.screen");
  });

  it("means the session in whose topic it was said", async () => {
    const rig = await makeRig();
    const other = await openOther(rig);
    expect(await say(rig, "screen", { about: OTHER })).toBe("");
    expect([rig.link.calls, other.calls]).toEqual([[], ["session.screen"]]);
  });

  it("shows nothing where no questions go, and nothing to a stranger", async () => {
    const rig = await makeRig();
    expect(await say(rig, "screen", { place: "elsewhere" })).toMatch(
      /shown only in the chats that get its prompts/,
    );
    await say(rig, "screen", { identity: asId<Identity>("chat:666") });
    expect(rig.link.calls).toEqual([]);
  });

  it("says that a session cannot be asked", async () => {
    const rig = await makeRig();
    rig.link.mode = "lost";
    await say(rig, "screen");
    expect(lastText(rig.chat)?.text).toMatch(/^⚠️ Cannot reach claude/);
    rig.core.noteDisconnected(SESSION);
    await say(rig, "screen");
    expect(lastText(rig.chat)?.text).toBe("⚠️ claude is not connected to the hub.");
  });

  it("comes by the button of a card, also for a viewer, and not for a copy of it elsewhere", async () => {
    const rig = await makeRig({
      settings: { ...SETTINGS, people: [ARA, VI] },
      configuredChannels: (chat) => [configureChannel(chat)],
    });
    await rig.raise();
    const { deliveryId, screenView } = rig.chat.cards()[0]!.notice;
    expect(screenView).toBe(true);
    const look = { kind: "look", deliveryId, receivedAt: 0 } as const;
    await rig.chat.receive({ ...look, identity: asId<Identity>("chat:2"), place: "p1" });
    await turns();
    expect(lastText(rig.chat)?.text).toBe("🖥 claude");
    await rig.chat.receive({ ...look, identity: asId<Identity>("chat:1"), place: "p2" });
    expect(rig.chat.lastAnswer).toBe("You may not answer this prompt.");
    const nobodys = { ...look, deliveryId: asId<DeliveryId>("nobody's") };
    await rig.chat.receive({ ...nobodys, identity: asId<Identity>("chat:1"), place: "p1" });
    expect(rig.chat.lastAnswer).toMatch(/^This AtlasBridge has no record of this card/);
  });
});

/** In steps, because what waits looks again and again. */
async function pass(rig: Rig, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 100) {
    rig.clock.advance(100);
    await turns();
  }
}

describe("the command stop", () => {
  it("interrupts the tool of the session, on record", async () => {
    const rig = await makeRig();
    expect(await say(rig, "/stop")).toBe("");
    expect(rig.link.calls).toEqual(["session.interrupt"]);
    expect(lastText(rig.chat)).toBeNull();
    await rig.core.handlers["session.state"]({ sessionId: SESSION, state: "idle" }, { sessionId: SESSION });
    await pass(rig, 700);
    expect(rig.chat.texts()).toEqual(["⏹ claude: interrupted."]);
    const steps = readDatabase<{ identity: string }>(
      rig.path,
      "SELECT identity FROM audit WHERE step = 'stop_asked'",
    );
    expect(steps).toEqual([{ identity: "chat:1" }]);
  });

  it("says that a tool was not seen to stop, where it works on, and of no key: not all have one", async () => {
    const rig = await makeRig();
    await say(rig, "stop");
    await pass(rig, 5_000);
    expect(lastText(rig.chat)?.text).toBe("⚠️ claude: stop was sent, but the tool still works.");
  });

  it("does not take a state that is older than the key for its effect", async () => {
    const rig = await makeRig();
    const report = (state: "idle" | "working") =>
      rig.core.handlers["session.state"]({ sessionId: SESSION, state }, { sessionId: SESSION });
    await report("idle");
    await say(rig, "stop");
    await pass(rig, 200);
    await report("working");
    await pass(rig, 5_000);
    const told = rig.chat.texts().filter((text) => /interrupted|still works/.test(text));
    expect(told).toEqual(["⚠️ claude: stop was sent, but the tool still works."]);
  });

  it("says why nothing was interrupted", async () => {
    const rig = await makeRig();
    rig.link.interrupted = INTERRUPT_PROBLEM.asking;
    await say(rig, "stop");
    expect(lastText(rig.chat)?.text).toBe("⚠️ claude was not stopped: it asks a question: answer that.");
  });

  it("says of an idle tool that there is nothing to stop", async () => {
    const rig = await makeRig();
    rig.link.interrupted = INTERRUPT_PROBLEM.idle;
    await say(rig, "stop");
    expect(lastText(rig.chat)?.text).toBe("claude is idle; nothing to stop.");
  });

  it("is not for viewers", async () => {
    const rig = await makeRig({ settings: { ...SETTINGS, people: [ARA, VI] } });
    expect(await say(rig, "stop", { identity: asId<Identity>("chat:2") })).toBe("You may not do that.");
    expect(rig.link.calls).toEqual([]);
  });

  it("is only the word, not a sentence that begins with it", async () => {
    const rig = await makeRig();
    expect(await say(rig, "stop that nonsense at once")).toContain("Which session?");
    expect(await say(rig, "stopped")).toContain("No open prompts");
    expect(rig.link.calls).toEqual([]);
  });
});
