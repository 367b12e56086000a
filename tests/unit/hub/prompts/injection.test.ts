/** No injection begins before its row and its audit row are on disk. A repeated begin, end or refusal changes nothing. */
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { createRefusal, type RefusalCode } from "../../../../src/model/answer/refusal.js";
import type { PromptEvent } from "../../../../src/model/prompt.js";
import { receipt } from "../../../../src/wire/shapes.js";
import { turns } from "../fake-channel.js";
import { RECEIPT, SESSION, makeRig, type Rig } from "../rig.js";

const caller = { sessionId: SESSION };

async function answering(): Promise<{ rig: Rig; event: PromptEvent; replyId: string }> {
  const rig = await makeRig();
  const event = await rig.raise();
  await rig.chat.tap(rig.chat.cards()[0]!, "3");
  return { rig, event, replyId: rig.link.replies[0]!.replyId };
}

async function refuse(rig: Rig, replyId: string, event: PromptEvent, code: RefusalCode, stillAsked: boolean) {
  const { promptId } = event;
  const params = { promptId, replyId, rejection: { ...createRefusal(code) }, stillAsked };
  const result = await rig.core.handlers["reply.refuse"](params, caller);
  await turns();
  return result;
}

describe("injection.begin", () => {
  it("commits the injection with its audit row before it is acknowledged", async () => {
    const { rig, event, replyId } = await answering();
    expect(await rig.begin(event)).toBe("injecting");
    const injection = rig.store.injections.findByPrompt(event.promptId);
    expect(injection).toMatchObject({ replyId, route: "keys", outcome: null });
    const [record] = rig.store.audit.readAfter(injection!.auditPosition - 1);
    expect(record).toMatchObject({ step: "injection_began", promptId: event.promptId, identity: "chat:1" });
  });

  it("may be asked again after a lost acknowledgement", async () => {
    const { rig, event } = await answering();
    await rig.begin(event);
    expect(await rig.begin(event)).toBe("injecting");
  });

  it("is refused for a prompt that was withdrawn, or a reply that is not the claimed one", async () => {
    const { rig, event, replyId } = await answering();
    const begin = {
      promptId: event.promptId,
      replyId,
      route: "keys" as const,
      fingerprint: event.fingerprint,
    };
    await refuse(rig, replyId, event, "typing", true);
    await rig.chat.tap(rig.chat.cards()[0]!, "1");
    expect(() => rig.core.handlers["injection.begin"](begin, caller)).toThrow("and cannot be answered now");
    await rig.core.handlers["prompt.withdraw"]({ promptId: event.promptId, reason: "left_screen" }, caller);
    await expect(rig.begin(event)).rejects.toThrow("and cannot be answered now");
  });

  it("is refused from another session's connection", async () => {
    const { rig, event, replyId } = await answering();
    const begin = {
      promptId: event.promptId,
      replyId,
      route: "keys" as const,
      fingerprint: event.fingerprint,
    };
    const other = { sessionId: "99999999-9999-4999-8999-999999999999" as typeof SESSION };
    expect(() => rig.core.handlers["injection.begin"](begin, other)).toThrow("of this session");
    expect(() => rig.core.handlers["injection.begin"](begin, { sessionId: null })).toThrow("own connection");
  });
});

describe("injection.end", () => {
  it.each([
    ["answered", "✅ No, by Ara, confirmed"],
    ["uncertain", "❔ No, by Ara: sent to claude, but not confirmed. Check the terminal."],
    ["failed", "⚠️ No, by Ara: not applied (the dialog closed). Nothing was confirmed."],
  ] as const)("with %s settles every card with the truth, once", async (outcome, text) => {
    const { rig, event } = await answering();
    await rig.begin(event);
    expect(await rig.end(event, { outcome })).toBe(outcome);
    expect(await rig.end(event, { outcome: "answered" })).toBe(outcome);
    expect(rig.chat.cards()[0]?.outcome).toMatchObject({ state: outcome, text, final: true });
    expect(rig.store.outbox.count()).toBe(0);
  });

  it.each(["read", null] as const)(
    "with the proof %s confirms nothing: the tool has taken it",
    async (proof) => {
      const { rig, event } = await answering();
      await rig.begin(event);
      await rig.end(event, { proof });
      expect(rig.chat.cards()[0]?.outcome?.text).toBe("✅ No, by Ara, taken by claude");
    },
  );

  it("says the words that went with a choice", async () => {
    const rig = await makeRig();
    const event = await rig.raise({
      choices: [{ label: "No", intent: "reject_once", takesText: "optional" }],
    });
    const [card] = rig.chat.cards();
    await rig.chat.text("1: use tabs", { ref: card!.ref });
    await rig.begin(event);
    await rig.end(event, { outcome: "answered" });
    expect(rig.chat.cards()[0]?.outcome?.text).toBe("✅ No: “use tabs”, by Ara, confirmed");
  });

  it("of a worker that does not say what proves it confirms nothing", () => {
    const older = { ...RECEIPT, proof: undefined };
    expect(v.parse(receipt, older)).toEqual({ ...RECEIPT, proof: null });
  });

  it("says that nothing was typed only of an answer of which no byte was written", async () => {
    const { rig, event } = await answering();
    await rig.begin(event);
    await rig.end(event, { outcome: "failed", bytesWritten: 0 });
    expect(rig.chat.cards()[0]?.outcome?.text).toContain("Nothing was typed.");
  });

  it("without a begin is refused", async () => {
    const { rig, event } = await answering();
    await expect(rig.end(event)).rejects.toThrow("never begun");
    expect(rig.readState(event)).toBe("answering");
  });
});

describe("reply.refuse", () => {
  it("puts a prompt that still stands back with a new nonce; its old buttons go on working", async () => {
    const { rig, event, replyId } = await answering();
    const before = rig.store.prompts.find(event.promptId)?.nonceHash;
    const result = await refuse(rig, replyId, event, "typing", true);
    expect(result.state).toBe("pending");
    expect(result.nonceHash).not.toBe(before);
    const card = rig.chat.cards()[0]!;
    expect(card.outcome).toMatchObject({ state: "refused", final: false });
    expect(card.outcome?.text).toContain("somebody was typing");
    expect(card.outcome?.buttons).toEqual(card.notice.buttons);
    await rig.chat.tap(card, "1");
    expect(rig.link.replies.at(-1)).toMatchObject({ value: "1" });
    expect(rig.link.nonceHashes.at(-1)).toBe(result.nonceHash);
  });

  it("may be said again: the same answer, and no new nonce", async () => {
    const { rig, event, replyId } = await answering();
    const first = await refuse(rig, replyId, event, "typing", true);
    expect(await refuse(rig, replyId, event, "typing", true)).toEqual(first);
  });

  it("said again after a new claim returns the nonce of that claim, so that the worker keeps the prompt", async () => {
    const { rig, event, replyId } = await answering();
    await refuse(rig, replyId, event, "typing", true);
    await rig.chat.tap(rig.chat.cards()[0]!, "1");
    const again = await refuse(rig, replyId, event, "typing", true);
    expect(again).toEqual({ state: "answering", nonceHash: rig.link.nonceHashes.at(-1) });
  });

  it.each([
    ["screen_moved", "withdrawn"],
    ["superseded", "superseded"],
  ] as const)(
    "of a prompt that is gone (%s) leaves it %s, with the reason on the card",
    async (code, state) => {
      const { rig, event, replyId } = await answering();
      expect((await refuse(rig, replyId, event, code, false)).state).toBe(state);
      expect(rig.chat.cards()[0]?.outcome).toMatchObject({ state, final: true });
    },
  );

  it("after a begin whose acknowledgement was lost is proof that nothing was written", async () => {
    const { rig, event, replyId } = await answering();
    await rig.begin(event);
    expect(await refuse(rig, replyId, event, "not_recorded", true)).toEqual({
      state: "failed",
      nonceHash: null,
    });
    expect(rig.store.injections.findByPrompt(event.promptId)).toMatchObject({ outcome: "failed" });
    expect(rig.chat.cards()[0]?.outcome?.text).toContain("Nothing was typed.");
  });
});

describe("prompt.withdraw", () => {
  it("says on the card which choice was taken at the terminal, in one line, where that was proved", async () => {
    const rig = await makeRig();
    const { promptId } = await rig.raise();
    const answer = "Yes, and do not ask\nagain";
    await rig.core.handlers["prompt.withdraw"]({ promptId, reason: "answered_locally", answer }, caller);
    await turns();
    expect(rig.chat.cards()[0]?.outcome?.text).toBe("⌨️ Yes, and do not ask again, at the terminal");
  });

  it.each([
    ["answered_locally", "⌨️ Answered at the terminal"],
    ["answered_elsewhere", "⚠️ Answered by another program, not through AtlasBridge and not at the terminal"],
    ["left_screen", "↩️ The prompt disappeared from the screen; AtlasBridge typed nothing"],
    [
      "request_lost",
      "🔌 The connection over which the tool asked has ended; it is not known whether the tool still waits. Check the terminal.",
    ],
    ["ended_by_command", "⌨️ Ended by a command from outside, which typed for what runs there"],
    ["superseded", "↪️ Replaced by another prompt; AtlasBridge typed nothing"],
  ] as const)("because of %s says so on the card", async (reason, text) => {
    const rig = await makeRig();
    const event = await rig.raise();
    const withdraw = { promptId: event.promptId, reason };
    const { state } = await rig.core.handlers["prompt.withdraw"](withdraw, caller);
    expect(await rig.core.handlers["prompt.withdraw"](withdraw, caller)).toEqual({ state });
    await turns();
    expect(rig.chat.cards()[0]?.outcome).toEqual({ state, text, final: true });
  });

  it.each([
    ["answered_locally", "⌨️ Answered at the terminal"],
    ["answered_elsewhere", "⚠️ Answered by another program"],
    ["left_screen", "↩️ The prompt disappeared from the screen"],
  ] as const)(
    "in the middle of an injection, for %s, does not claim that nothing was typed",
    async (reason, what) => {
      const { rig, event } = await answering();
      await rig.begin(event);
      await rig.core.handlers["prompt.withdraw"]({ promptId: event.promptId, reason }, caller);
      await turns();
      const text = `${what} while “No”, by Ara, was being typed`;
      expect(rig.chat.cards()[0]?.outcome).toEqual({ state: "withdrawn", text, final: true });
      expect(rig.store.injections.findByPrompt(event.promptId)?.outcome).toBe("withdrawn");
      expect(await rig.end(event)).toBe("withdrawn");
    },
  );

  it.each([
    ["left_screen", "↩️ The prompt disappeared from the screen; AtlasBridge typed nothing"],
    ["answered_locally", "⌨️ Answered at the terminal"],
    ["superseded", "↪️ Replaced by another prompt; AtlasBridge typed nothing"],
  ] as const)(
    "before the first key of an answer, for %s, says whose answer was not applied",
    async (reason, why) => {
      const { rig, event } = await answering();
      await rig.core.handlers["prompt.withdraw"]({ promptId: event.promptId, reason }, caller);
      await turns();
      expect(rig.chat.cards()[0]?.outcome?.text).toBe(`${why}. “No”, by Ara, was not applied.`);
    },
  );

  it("before the card went out means that no card goes out", async () => {
    const rig = await makeRig();
    rig.chat.fault = () => {
      throw new Error("offline");
    };
    const event = await rig.raise();
    await rig.core.handlers["prompt.withdraw"](
      { promptId: event.promptId, reason: "answered_locally" },
      caller,
    );
    rig.chat.fault = () => undefined;
    rig.clock.advance(60_000);
    await turns();
    expect(rig.chat.messages).toEqual([]);
    expect(rig.store.outbox.count()).toBe(0);
  });
});
