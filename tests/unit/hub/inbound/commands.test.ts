/**
 * The commands to the hub in a chat list sessions and prompts, pause and resume, and are refused to those who may not use them. A
 * message that cannot be an answer is refused with a reason.
 */
import { describe, expect, it } from "vitest";
import { asId, type DeliveryId, type Identity } from "../../../../src/model/ids.js";
import { ARA, SESSION, SETTINGS, makeRig, sessionParams, type Rig } from "../rig.js";
import type { PromptEvent } from "../../../../src/model/prompt.js";
import { readDatabase } from "../../../property/hub/read-database.js";
import { configureChannel } from "../fake-channel.js";

const readShortId = (rig: Rig, { promptId }: PromptEvent) => rig.store.prompts.find(promptId)?.shortId ?? "";
const VI = { name: "Vi", identities: ["chat:2"], role: "viewer" } as const;
const withViewer = { settings: { ...SETTINGS, people: [ARA, VI] } };

describe("commands to the hub in a chat", () => {
  it.each(["sessions", "/sessions", "/Sessions@atlas_bot"])(
    "%s lists the running sessions",
    async (words) => {
      const rig = await makeRig();
      await rig.raise();
      await rig.chat.text(words);
      expect(rig.chat.lastAnswer).toBe("claude · /home/ara/project · running · 1 open prompt");
    },
  );

  it("sessions and the overview say of a stopped or unreachable session that its state is not known", async () => {
    const stopped = await makeRig({ processStopped: () => true });
    await stopped.chat.text("sessions");
    expect(stopped.chat.lastAnswer).toBe("claude · /home/ara/project · stopped at its terminal");
    const rig = await makeRig();
    rig.core.noteDisconnected(SESSION);
    await rig.chat.text("sessions");
    expect(rig.chat.lastAnswer).toBe("claude · /home/ara/project · not connected");
    const overview = rig.core.createChannelHost("chat").overview(asId<Identity>("chat:1"));
    expect(overview?.sessions[0]?.state).toBe("not connected");
  });

  it("sessions names by its id each of several sessions that are called alike, and commands take that name", async () => {
    const rig = await makeRig();
    const other = "33333333-3333-4333-8333-333333333333";
    await rig.core.handlers["session.open"](sessionParams({ sessionId: other }), { sessionId: null });
    await rig.chat.text("sessions");
    const names = rig.chat.lastAnswer?.split("\n").map((line) => line.split(" · ")[0]);
    expect(names).toEqual([SESSION.slice(0, 8), other.slice(0, 8)]);
    await rig.chat.text(`stop ${other.slice(0, 8)}`);
    expect(rig.chat.lastAnswer).not.toMatch(/Which session/);
  });

  it("sessions says when no session runs", async () => {
    const rig = await makeRig();
    await rig.core.handlers["session.close"](
      { sessionId: SESSION, exitCode: 0, signal: null },
      { sessionId: SESSION },
    );
    await rig.chat.text("/sessions");
    expect(rig.chat.lastAnswer).toBe("No sessions are running.");
  });

  it("prompts lists the open prompts, and help lists the commands", async () => {
    const rig = await makeRig();
    await rig.raise();
    await rig.chat.text("/prompts");
    expect(rig.chat.lastAnswer).toContain("claude: Do you want to proceed?");
    await rig.chat.text("/help");
    expect(rig.chat.lastAnswer).toContain("answer k7 2");
  });

  it("prompts shows an answer that is not typed yet, and lists expired prompts", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    await rig.chat.tap(rig.chat.cards()[0]!, "1");
    await rig.chat.text("/prompts");
    expect(rig.chat.lastAnswer).toBe(
      `${readShortId(rig, event)}  claude: Do you want to proceed? · answered, not typed yet`,
    );
    expect(rig.core.createChannelHost("chat").overview(asId<Identity>("chat:1"))?.ifNone).toBe(
      "An answer is on its way.",
    );
    await rig.begin(event);
    await rig.end(event, { outcome: "uncertain" });
    await rig.chat.text("/prompts");
    expect(rig.chat.lastAnswer).toBe(
      `No prompt is open. ${readShortId(rig, event)} (uncertain) may still wait at its terminal: check there.`,
    );
    await rig.raise({}, 2);
    await rig.chat.text("/prompts");
    expect(rig.chat.lastAnswer).toMatch(/answer \w+ …\n.*proceed\?\n\w+ \(uncertain\) may still wait/);
  });

  it("prompts names the sessions whose screens cannot be read", async () => {
    const stopped = new Set<number>();
    const rig = await makeRig({ processStopped: (pid) => stopped.has(pid) });
    const told = async () => {
      await rig.chat.text("/prompts");
      return rig.chat.lastAnswer;
    };
    expect(await told()).toBe("No open prompts.");
    await rig.core.handlers["session.state"](
      { sessionId: SESSION, state: "screen_lost" },
      { sessionId: SESSION },
    );
    expect(await told()).toBe("No prompt is open. claude: its screen cannot be read; check the terminal.");
    await rig.core.handlers["session.state"](
      { sessionId: SESSION, state: "working" },
      { sessionId: SESSION },
    );
    stopped.add(4242);
    expect(await told()).toContain("its AtlasBridge process is stopped");
    stopped.clear();
    rig.core.noteDisconnected(SESSION);
    expect(await told()).toContain("claude: it is not connected");
  });

  it("a long list ends with how many more there are", async () => {
    const rig = await makeRig();
    for (let n = 1; n <= 23; n += 1) await rig.raise({}, n);
    await rig.chat.text("/prompts");
    expect(rig.chat.lastAnswer?.split("\n")).toHaveLength(22);
    expect(rig.chat.lastAnswer).toContain("… and 3 more");
  });

  it("pause takes no answer from anybody until resume, and says so", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    await rig.chat.text("/pause");
    expect(rig.chat.lastAnswer).toMatch(/^⏸ Paused/);
    await rig.chat.tap(rig.chat.cards()[0]!, "1");
    expect(rig.chat.lastAnswer).toBe("AtlasBridge is paused; nothing was typed.");
    await rig.chat.text("/prompts");
    expect(rig.chat.lastAnswer).toMatch(/^⏸ Paused/);
    await rig.chat.text("/resume");
    await rig.chat.tap(rig.chat.cards()[0]!, "1");
    expect(rig.readState(event)).toBe("answering");
  });

  it("a viewer may look, but neither pause nor resume", async () => {
    const rig = await makeRig(withViewer);
    await rig.chat.text("/pause", { identity: "chat:2" });
    expect(rig.chat.lastAnswer).toBe("You may not do that.");
    expect(rig.core.readStatus().paused).toBe(false);
    await rig.chat.text("/sessions", { identity: "chat:2" });
    expect(rig.chat.lastAnswer).toContain("claude");
  });
});

describe("a message that cannot be an answer", () => {
  it.each(["forwarded", "edited", "outsider"] as const)(
    "%s: is refused with a reason, on record",
    async (why) => {
      const rig = await makeRig();
      const event = await rig.raise();
      const identity = asId<Identity>("chat:1");
      await rig.chat.receive({ kind: "unfit", why, identity, place: "p1", receivedAt: 0 });
      expect(rig.chat.answers.at(-1)?.answer).toMatchObject({ alert: true });
      expect(rig.chat.lastAnswer).not.toBe("");
      expect(rig.readState(event)).toBe("pending");
      const recorded = readDatabase<{ details: string }>(
        rig.path,
        "SELECT details FROM audit WHERE step = 'answer_rejected' AND identity = ?",
        [identity],
      );
      expect(recorded.map(({ details }) => JSON.parse(details) as unknown)).toEqual([{ code: why }]);
    },
  );

  it("a card that was carried to another place answers nothing there", async () => {
    const rig = await makeRig({
      configuredChannels: (chat) => [configureChannel(chat, { places: ["p1", "p2"] })],
    });
    const event = await rig.raise();
    const [card] = rig.chat.cards();
    await rig.chat.receive({
      kind: "tap",
      token: card!.notice.buttons[0]!.token,
      identity: asId<Identity>("chat:1"),
      place: "p2",
      receivedAt: 0,
    });
    expect(rig.chat.lastAnswer).toBe("This is a copy; answer the original message.");
    expect(rig.readState(event)).toBe("pending");
  });

  it("a channel without an approver says nothing to it", async () => {
    const rig = await makeRig({ settings: { ...SETTINGS, people: [VI] } });
    const identity = asId<Identity>("chat:2");
    await rig.chat.receive({ kind: "unfit", why: "edited", identity, place: "p1", receivedAt: 0 });
    expect(rig.chat.answers).toEqual([]);
  });
});

describe("a text for a card whose message is unknown", () => {
  const reply = (deliveryId: DeliveryId, place = "p1") => ({
    kind: "text_reply" as const,
    ref: { message: 999 },
    deliveryId,
    text: "2",
    identity: asId<Identity>("chat:1"),
    place,
    receivedAt: 0,
  });

  it("finds its question by the delivery that the service brought back", async () => {
    const rig = await makeRig();
    await rig.raise();
    await rig.chat.receive(reply(rig.chat.cards()[0]!.notice.deliveryId));
    expect(rig.link.replies).toMatchObject([{ value: "2" }]);
  });

  it("does not find it from another place, nor by an invented delivery", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    await rig.chat.receive(reply(rig.chat.cards()[0]!.notice.deliveryId, "p2"));
    expect(rig.chat.lastAnswer).toContain("claude: Do you want to proceed?");
    await rig.chat.receive(reply(asId<DeliveryId>("nonsense")));
    expect(rig.readState(event)).toBe("pending");
    expect(rig.chat.lastAnswer).toContain("This AtlasBridge has no record of this card");
  });
});

describe("a query of a channel to the ledger", () => {
  it("gets its own open card as it is now, and null once the prompt is settled", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    const { notice } = rig.chat.cards()[0]!;
    expect(rig.core.createChannelHost("chat").openNotice(notice.deliveryId)).toEqual(notice);
    expect(rig.core.createChannelHost("other").openNotice(notice.deliveryId)).toBeNull();
    expect(rig.core.createChannelHost("chat").openNotice("nonsense")).toBeNull();
    await rig.core.handlers["prompt.withdraw"](
      { promptId: event.promptId, reason: "answered_locally" },
      { sessionId: SESSION },
    );
    expect(rig.core.createChannelHost("chat").openNotice(notice.deliveryId)).toBeNull();
  });

  it("gets sessions and prompts for its own people only", async () => {
    const rig = await makeRig(withViewer);
    await rig.raise();
    const host = rig.core.createChannelHost("chat");
    expect(host.overview(asId<Identity>("chat:2"))).toMatchObject({
      paused: false,
      prompts: [{ session: { tool: "claude" }, question: "Do you want to proceed?" }],
      sessions: [{ session: { sessionId: SESSION }, state: "starting", openPrompts: 1 }],
    });
    expect(host.overview(asId<Identity>("chat:666"))).toBeNull();
    expect(host.overview(asId<Identity>("cli:local"))).toBeNull();
  });

  it("gets those who may answer, on this channel only", async () => {
    const bo = { name: "Bo", identities: ["other:9", "chat:9"], role: "approver" } as const;
    const rig = await makeRig({ settings: { ...SETTINGS, people: [ARA, VI, bo] } });
    await rig.raise({ constraints: { multi: true } });
    expect(rig.chat.cards()[0]!.notice).toMatchObject({ addressees: ["chat:1", "chat:9"], multi: true });
    await rig.core.handlers["session.open"](
      sessionParams({ sessionId: "33333333-3333-4333-8333-333333333333" }),
      { sessionId: null },
    );
    expect(rig.chat.cards()[0]!.notice.session.sessionId).toBe(SESSION);
  });
});
