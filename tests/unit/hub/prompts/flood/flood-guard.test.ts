/** A session that asks too often: its prompts are held back visibly, nothing is lost, and people decide. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { decide } from "../../../../../src/hub/policy/decide.js";
import type { ActivePolicy } from "../../../../../src/hub/policy/verdict.js";
import { commandPrompt, parseRules, WORLD } from "../../../../support/policy/policies.js";
import { CAPABILITIES, configureChannel, turns } from "../../fake-channel.js";
import { ARA, makeRig, SESSION, SETTINGS, tempDirectory, type Rig, type RigOptions } from "../../rig.js";

const LIMIT = 5;
const MINUTE = 60_000;
const LIMITED = { ...SETTINGS, prompts: { ...SETTINGS.prompts, flood_limit: LIMIT } };
const QUICK = { ...CAPABILITIES, pace: { place: () => [], all: [], edits: [] } };

function rigOf(over: RigOptions = {}): Promise<Rig> {
  return makeRig({
    settings: LIMITED,
    configuredChannels: (chat) => [configureChannel(chat, { capabilities: QUICK })],
    ...over,
  });
}

function ask(rig: Rig, n: number, line = "make") {
  const { content, excerpt, safetyClass, choices, constraints } = commandPrompt(line);
  return rig.raise({ content, excerpt, safetyClass, choices, constraints }, n);
}

async function askTimes(rig: Rig, times: number, from = 1, line?: string) {
  const events = [];
  for (let n = from; n < from + times; n += 1) events.push(await ask(rig, n, line));
  return events;
}

const notice = (rig: Rig) =>
  rig.chat.messages.find(({ notice }) => notice.kind === "text" && notice.text.startsWith("⏸"));
const marks = (rig: Rig) => rig.link.calls.filter((method) => method === "session.mark").length;

async function tapNotice(rig: Rig, label: string, identity = "chat:1"): Promise<void> {
  const message = notice(rig)!;
  const shown = message.notice.kind === "text" ? (message.notice.buttons ?? []) : [];
  const button = (message.outcome?.buttons ?? shown).find(({ choice }) => choice.label.includes(label));
  expect(button, label).toBeDefined();
  await rig.chat.receive({
    kind: "tap",
    token: button!.token,
    ref: message.ref,
    identity: identity as never,
    place: "p1",
    receivedAt: 0,
  });
}

const listed = async (rig: Rig) => rig.core.handlers["prompts.list"]({ all: false }, { sessionId: null });
const session = async (rig: Rig) =>
  (await rig.core.handlers["sessions.list"]({ all: false }, { sessionId: null }))[0];

describe("more prompts within a minute than the limit", () => {
  it("are on record and listed, but no chat gets them, and one message with two buttons says so", async () => {
    const rig = await rigOf();
    await askTimes(rig, LIMIT + 3);
    expect(rig.chat.cards()).toHaveLength(LIMIT);
    expect(await listed(rig)).toHaveLength(LIMIT + 3);
    expect(rig.chat.texts()).toEqual([
      expect.stringContaining(`claude raised ${LIMIT + 1} prompts within 1 min.`) as string,
    ]);
    const shown = notice(rig)?.notice;
    expect(shown?.kind === "text" && shown.buttons?.map(({ choice }) => choice.label)).toEqual([
      "⛔ Deny all and stop",
      "▶️ Go on",
    ]);
    expect(await session(rig)).toMatchObject({ heldBack: true });
    expect(marks(rig)).toBe(1);
    await rig.chat.text("status");
    expect(rig.chat.lastAnswer).toContain("held back: asked too often");
  });

  it("are counted within a minute only, and a limit of 0 counts none", async () => {
    const slow = await rigOf();
    for (let n = 1; n <= 4 * LIMIT; n += 1) {
      await ask(slow, n);
      slow.clock.advance(MINUTE / LIMIT);
    }
    expect(slow.chat.cards()).toHaveLength(4 * LIMIT);
    expect(notice(slow)).toBeUndefined();
    const unlimited = await rigOf({ settings: SETTINGS });
    await askTimes(unlimited, 3 * LIMIT);
    expect(unlimited.chat.cards()).toHaveLength(3 * LIMIT);
  });

  it("can be answered in writing and at this machine while they are held back", async () => {
    const rig = await rigOf();
    const events = await askTimes(rig, LIMIT + 2);
    const [one, other] = events.slice(-2).map(({ promptId }) => rig.store.prompts.find(promptId)!);
    await rig.chat.text(`answer ${one?.shortId ?? ""} 1`);
    await rig.core.handlers["prompt.answer"](
      { shortId: other?.shortId ?? "", value: "1" },
      { sessionId: null },
    );
    await turns();
    expect(rig.link.replies.map(({ replyId }) => rig.store.replies.find(replyId)?.identity)).toEqual([
      "chat:1",
      "cli:local",
    ]);
  });

  it("get no answer of a rule, which was answering until then", async () => {
    const rules = parseRules("\n  - { id: build, match: { command: [make] }, answer: allow_once }\n");
    const policy: ActivePolicy = {
      mode: "full",
      countdownMs: 0,
      decide: (event, at, now, uses) => decide(rules, { event, session: at, now }, WORLD, uses),
    };
    const rig = await rigOf({ policy: () => policy });
    const events = await askTimes(rig, LIMIT + 2);
    expect(rig.link.replies).toHaveLength(LIMIT);
    expect(events.map((event) => rig.readState(event))).toEqual([
      ...Array.from({ length: LIMIT }, () => "answering"),
      "pending",
      "pending",
    ]);
    await tapNotice(rig, "Go on");
    expect(rig.chat.cards()).toHaveLength(2);
    expect(rig.link.replies).toHaveLength(LIMIT);
    await ask(rig, 90);
    expect(rig.link.replies).toHaveLength(LIMIT + 1);
  });

  it("in mode assist: a countdown that runs already gives no answer either", async () => {
    const rules = parseRules("\n  - { id: build, match: { command: [make] }, answer: allow_once }\n");
    const policy: ActivePolicy = {
      mode: "assist",
      countdownMs: 30_000,
      decide: (event, at, now, uses) => decide(rules, { event, session: at, now }, WORLD, uses),
    };
    const rig = await rigOf({ policy: () => policy });
    await askTimes(rig, LIMIT + 1);
    rig.clock.advance(MINUTE);
    await turns();
    expect(rig.link.replies).toEqual([]);
  });

  it("stay held back over a restart of the hub", async () => {
    const path = join(tempDirectory(), "atlasbridge.db");
    const before = await rigOf({ path });
    await askTimes(before, LIMIT + 1);
    await before.core.stop();
    const after = await rigOf({ path, clock: before.clock, chat: before.chat });
    await ask(after, 50);
    expect(after.chat.cards()).toHaveLength(LIMIT);
    expect(await session(after)).toMatchObject({ heldBack: true });
    expect(marks(after)).toBe(1);
    await tapNotice(after, "Go on");
    expect(after.chat.cards()).toHaveLength(LIMIT + 2);
  });

  it("cards that wait for their turn in the chat wait, too, and the message is not behind them", async () => {
    const pace = { place: () => [{ burst: 2, everyMs: 10_000 }], all: [], edits: [] };
    const capabilities = { ...QUICK, pace };
    const rig = await rigOf({ configuredChannels: (chat) => [configureChannel(chat, { capabilities })] });
    await askTimes(rig, LIMIT + 1);
    expect(rig.chat.cards()).toHaveLength(2);
    // One message may go now; the cards before it in the queue are dropped one after the other.
    for (let at = 0; at < 11; at += 1) {
      rig.clock.advance(1_000);
      await turns();
    }
    expect(notice(rig)).toBeDefined();
    for (let at = 0; at < 20; at += 1) {
      rig.clock.advance(10_000);
      await turns();
    }
    expect(rig.chat.cards()).toHaveLength(2);
    await tapNotice(rig, "Go on");
    for (let at = 0; at < 20; at += 1) {
      rig.clock.advance(10_000);
      await turns();
    }
    expect(new Set(rig.chat.cards().map(({ notice: { promptId } }) => promptId)).size).toBe(LIMIT + 1);
    expect(rig.chat.cards()).toHaveLength(LIMIT + 1);
  });
});

describe("Go on", () => {
  it("sends what was held back, once, and counts anew", async () => {
    const rig = await rigOf();
    await askTimes(rig, LIMIT + 3);
    await tapNotice(rig, "Go on");
    expect(rig.chat.lastAnswer).toBe("▶️ Prompts are sent again; 3 prompts follow.");
    expect(rig.chat.cards()).toHaveLength(LIMIT + 3);
    expect(notice(rig)?.outcome).toMatchObject({ text: "▶️ Goes on, by Ara", final: true });
    expect(notice(rig)?.outcome?.buttons).toBeUndefined();
    expect(marks(rig)).toBe(2);
    rig.clock.advance(1_000);
    await askTimes(rig, LIMIT, 50);
    expect(rig.chat.cards()).toHaveLength(2 * LIMIT + 3);
    await ask(rig, 90);
    expect(rig.chat.cards()).toHaveLength(2 * LIMIT + 3);
  });

  it("by a command in the chat and at this machine, never by a viewer or a supervised tool", async () => {
    const people = [ARA, { name: "Dan", identities: ["chat:4"], role: "viewer" }] as const;
    const rig = await rigOf({ settings: { ...LIMITED, people } });
    await askTimes(rig, LIMIT + 1);
    await tapNotice(rig, "Go on", "chat:4");
    expect(rig.chat.lastAnswer).toBe("You may not do that.");
    expect(() =>
      rig.core.handlers["session.relay"]({ sessionId: SESSION, inside: "x" }, { sessionId: null }),
    ).toThrow("supervised");
    expect(await session(rig)).toMatchObject({ heldBack: true });
    await rig.chat.text("resume claude");
    expect(rig.chat.cards()).toHaveLength(LIMIT + 1);
    rig.clock.advance(1_000);
    await askTimes(rig, LIMIT + 2, 50);
    expect(await rig.core.handlers["session.relay"]({ sessionId: SESSION }, { sessionId: null })).toEqual({
      follow: 2,
    });
  });
});

describe("Deny all and stop", () => {
  it("says no to each with a claim of its own, interrupts the tool, and keeps holding back", async () => {
    const rig = await rigOf();
    const events = await askTimes(rig, LIMIT + 2);
    const text = await rig.raise({ promptType: "free_text", choices: [], safetyClass: "question" }, 80);
    const shortId = rig.store.prompts.find(text.promptId)?.shortId ?? "";
    await tapNotice(rig, "Deny all");
    expect(rig.chat.lastAnswer).toBe(
      `⛔ No was accepted for ${LIMIT + 2} prompts. Still open: ${shortId} (it has no choice that just says no). ⏹ Stopping.`,
    );
    expect(
      rig.link.replies.map(
        ({ value, replyId }) => `${value} ${rig.store.replies.find(replyId)?.identity ?? ""}`,
      ),
    ).toEqual(events.map(() => "3 chat:1"));
    expect(new Set(rig.link.replies.map(({ nonce }) => nonce)).size).toBe(LIMIT + 2);
    // While answers are under way there is nothing to interrupt.
    expect(rig.link.calls).not.toContain("session.interrupt");
    for (const event of events) {
      await rig.begin(event);
      await rig.end(event);
    }
    rig.clock.advance(1_000);
    await turns();
    expect(rig.link.calls).toContain("session.interrupt");
    await ask(rig, 90);
    expect(rig.chat.cards()).toHaveLength(LIMIT);
    expect(notice(rig)?.outcome?.buttons?.map(({ choice }) => choice.label)).toEqual([
      "⛔ Deny all and stop",
      "▶️ Go on",
    ]);
    await tapNotice(rig, "Go on");
    expect(rig.chat.cards()).toHaveLength(LIMIT + 2);
  });

  it("denies nothing while answers are paused, and says so", async () => {
    const rig = await rigOf();
    await askTimes(rig, LIMIT + 1);
    await rig.core.setPaused(true, "chat:1" as never);
    await rig.chat.text("deny all claude");
    expect(rig.chat.lastAnswer).toContain("paused");
    expect(rig.link.replies).toEqual([]);
  });
});
