/** A prompt that is raised gets a short id and a nonce once. A policy can answer it, deny it or leave it to the terminal. */
import { describe, expect, it } from "vitest";
import type { Verdict } from "../../../../src/hub/policy/verdict.js";
import type { PromptEvent } from "../../../../src/model/prompt.js";
import { turns } from "../fake-channel.js";
import { SESSION, SETTINGS, makeEvent, makeRig, sessionParams } from "../rig.js";

const caller = { sessionId: SESSION };

describe("a raised prompt", () => {
  it("is answered with its short id, its state and the hash of its nonce", async () => {
    const rig = await makeRig();
    const result = await rig.core.handlers["prompt.raise"](makeEvent(1) as never, caller);
    expect(result).toMatchObject({ promptId: makeEvent(1).promptId, state: "pending" });
    expect(result.shortId).toMatch(/^[a-z2-9]{2,4}$/);
    expect(result.nonceHash).toMatch(/^[0-9a-f]{64}$/);
  });

  it("raised again is the stored one: no second card, same nonce", async () => {
    const rig = await makeRig();
    const first = await rig.core.handlers["prompt.raise"](makeEvent(1) as never, caller);
    // A new detection of the same question has an id of its own; the key decides.
    const again = { ...makeEvent(1), promptId: makeEvent(2).promptId };
    expect(await rig.core.handlers["prompt.raise"](again as never, caller)).toEqual(first);
    await turns();
    expect(rig.chat.cards()).toHaveLength(1);
  });

  it("is refused for a session that is not open, or under an id that is taken", async () => {
    const rig = await makeRig();
    await rig.raise();
    const taken = { ...makeEvent(2), promptId: makeEvent(1).promptId };
    expect(() => rig.core.handlers["prompt.raise"](taken as never, caller)).toThrow("already in use");
    await rig.core.handlers["session.close"]({ sessionId: SESSION, exitCode: 0, signal: null }, caller);
    expect(() => rig.core.handlers["prompt.raise"](makeEvent(3) as never, caller)).toThrow("not open");
  });

  it("while its answer waits for the worker, makes the hub send that answer again", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    rig.link.mode = "lost";
    await rig.chat.tap(rig.chat.cards()[0]!, "1");
    rig.link.mode = "accept";
    await rig.core.handlers["prompt.raise"](event as never, caller);
    await turns();
    expect(rig.link.replies.map(({ replyId }) => replyId)).toHaveLength(2);
    expect(new Set(rig.link.replies.map(({ replyId }) => replyId)).size).toBe(1);
  });

  it("of the outer session is left to the inner one while that is open", async () => {
    const rig = await makeRig();
    const inner = "33333333-3333-4333-8333-333333333333" as typeof SESSION;
    await rig.core.handlers["session.open"](sessionParams({ sessionId: inner, inside: SESSION }), caller);
    const { state } = await rig.core.handlers["prompt.raise"](makeEvent(1) as never, caller);
    expect(state).toBe("superseded");
    const ofInner = { ...makeEvent(2), sessionId: inner };
    expect((await rig.core.handlers["prompt.raise"](ofInner as never, { sessionId: inner })).state).toBe(
      "pending",
    );
    await turns();
    expect(rig.chat.cards().map(({ notice }) => notice.promptId)).toEqual([makeEvent(2).promptId]);
    expect(rig.chat.cards()[0]?.notice.session.label).toBe("inside another session");
  });

  it("is asked although a session is open inside, where that one shows nothing on its terminal", async () => {
    const rig = await makeRig();
    const sessionId = "33333333-3333-4333-8333-333333333333";
    const capabilities = { ...sessionParams().capabilities, screenView: false };
    await rig.core.handlers["session.open"](
      sessionParams({ sessionId, inside: SESSION, capabilities }),
      caller,
    );
    expect((await rig.core.handlers["prompt.raise"](makeEvent(1) as never, caller)).state).toBe("pending");
  });
});

it("a prompt of a session without a screen is asked although one with a screen is open inside", async () => {
  const rig = await makeRig({ underTool: true });
  const inner = "33333333-3333-4333-8333-333333333333";
  await rig.core.handlers["session.open"](sessionParams({ sessionId: inner, inside: SESSION }), caller);
  expect((await rig.core.handlers["prompt.raise"](makeEvent(1) as never, caller)).state).toBe("pending");
});

describe("the verdict of a policy", () => {
  const reason = { rule: "r1", reason: "test" };
  const raisedUnder = async (verdict: Verdict, over: Partial<PromptEvent> = {}) => {
    const rig = await makeRig({ decide: () => verdict });
    const event = await rig.raise(over);
    return { rig, event };
  };

  it("answer: the reply goes out as auto:policy and nobody is asked", async () => {
    const { rig, event } = await raisedUnder({ kind: "answer", value: "1", ...reason });
    expect(rig.readState(event)).toBe("answering");
    expect(rig.link.replies[0]).toMatchObject({ value: "1", channelIdentity: "auto:policy" });
    expect(rig.chat.messages).toEqual([]);
  });

  it("deny: answers with the choice that rejects once, wherever it stands", async () => {
    const { rig } = await raisedUnder({ kind: "deny", ...reason });
    expect(rig.link.replies[0]).toMatchObject({ value: "3" });
  });

  it.each([
    ["low confidence", { confidence: "low" }],
    ["a trust question", { safetyClass: "trust" }],
    ["content that is not complete", { content: { text: "x", cut: { missing: "12 lines" } } }],
    ["content that the tool told and nobody saw", { content: { text: "ls", cut: { told: true } } }],
    ["an illegal value", { choices: [{ label: "Only", intent: "allow_once" }] }],
    ["no single rejecting choice", { choices: [{ label: "Yes", intent: "allow_once" }] }],
  ] as const)("is not carried out on %s: people are asked", async (_what, over) => {
    for (const verdict of [
      { kind: "answer", value: "9", ...reason },
      { kind: "deny", ...reason },
    ] as const) {
      const { rig, event } = await raisedUnder(verdict, over);
      expect(rig.readState(event)).toBe("pending");
      expect(rig.chat.cards()).toHaveLength(1);
    }
  });

  it("notify: people are told, but only the terminal may answer", async () => {
    const { rig, event } = await raisedUnder({ kind: "notify", ...reason });
    expect(rig.chat.cards()[0]?.notice).toMatchObject({ buttons: [], acceptsText: false });
    await rig.chat.text("1", { ref: rig.chat.cards()[0]!.ref });
    expect(rig.chat.lastAnswer).toBe("This prompt can only be answered at the terminal.");
    const { shortId } = rig.store.prompts.find(event.promptId)!;
    expect(
      await rig.core.handlers["prompt.answer"]({ shortId, value: "1" }, { sessionId: null }),
    ).toMatchObject({
      claimed: true,
    });
  });
});

describe("listings", () => {
  it("hold exactly what programs may rely on, safe to show", async () => {
    const rig = await makeRig({ safeText: (text) => text.replaceAll("s3cret", "[hidden]") });
    const event = await rig.raise({
      excerpt: "Use s3cret?",
      content: { text: "echo s3cret", cut: null, call: { tool: "Bash", input: { command: "echo s3cret" } } },
    });
    const [listed] = await rig.core.handlers["prompts.list"]({ all: false }, { sessionId: null });
    expect(listed).toEqual({
      shortId: rig.store.prompts.find(event.promptId)?.shortId,
      promptId: event.promptId,
      sessionId: SESSION,
      tool: "claude",
      type: "multiple_choice",
      safetyClass: "permission",
      classes: ["permission"],
      confidence: "high",
      excerpt: "Use [hidden]?",
      content: {
        text: "echo [hidden]",
        cut: null,
        hidden: null,
        call: { tool: "Bash", input: { command: "echo [hidden]" } },
      },
      choices: [
        { index: 1, label: "Yes", intent: "allow_once" },
        { index: 2, label: "Yes, and don't ask again", intent: "allow_always" },
        { index: 3, label: "No", intent: "reject_once" },
      ],
      defaultChoice: 1,
      state: "pending",
      createdAt: "2026-01-01T00:00:00.000Z",
      expiresAt: "2026-01-01T00:30:00.000Z",
    });
  });

  it("leave out what is settled unless all is asked for", async () => {
    const rig = await makeRig({
      settings: { ...SETTINGS, prompts: { ...SETTINGS.prompts, expires_after: 0 } },
    });
    const event = await rig.raise();
    await rig.core.handlers["prompt.withdraw"]({ promptId: event.promptId, reason: "left_screen" }, caller);
    expect(await rig.core.handlers["prompts.list"]({ all: false }, { sessionId: null })).toEqual([]);
    const [listed] = await rig.core.handlers["prompts.list"]({ all: true }, { sessionId: null });
    expect(listed).toMatchObject({ state: "withdrawn", expiresAt: null });
  });
});

describe("waiting for a prompt", () => {
  it("ends when no answer is under way: at the end, or when the question stands again", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    const wait = () => rig.core.handlers["prompt.wait"]({ promptId: event.promptId }, { sessionId: null });
    expect(await wait()).toMatchObject({ state: "pending" });
    await rig.chat.tap(rig.chat.cards()[0]!, "1");
    const refused = wait();
    const { replyId } = rig.link.replies[0]!;
    const rejection = { code: "typing", text: "Not applied: somebody was typing at the terminal." };
    const refusal = { promptId: event.promptId, replyId, rejection, stillAsked: true };
    await rig.core.handlers["reply.refuse"](refusal, caller);
    const notPutIn = { state: "pending", text: `⚠️ ${rejection.text}`, again: false, over: null };
    expect(await refused).toEqual(notPutIn);
    await rig.chat.tap(rig.chat.cards()[0]!, "1");
    await rig.begin(event);
    const answered = wait();
    await rig.end(event);
    const confirmed = { state: "answered", text: "✅ Yes, by Ara, confirmed", again: false, over: "chat" };
    expect(await answered).toEqual(confirmed);
    expect(await wait()).toEqual(await answered);
  });

  it("for a prompt that does not exist is refused", async () => {
    const rig = await makeRig();
    await expect(
      rig.core.handlers["prompt.wait"]({ promptId: "x" }, { sessionId: null }),
    ).rejects.toMatchObject({
      code: "ATB_HUB_REFUSED",
    });
  });
});
