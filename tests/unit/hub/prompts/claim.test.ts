/** An answer is claimed by exactly one of many concurrent tries, only by those who may answer, and only before the deadline. */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { LOCAL_IDENTITY, type Identity } from "../../../../src/model/ids.js";
import { ARA, SESSION, SETTINGS, makeRig, type Rig } from "../rig.js";
import { readDatabase } from "../../../property/hub/read-database.js";
import { FakeChannel, configureChannel, turns } from "../fake-channel.js";

async function answer(rig: Rig, value: string | null, extra: { text?: string; replyId?: string } = {}) {
  const { shortId } = rig.store.prompts.listAfter(null, 100).at(-1)!;
  const result = await rig.core.handlers["prompt.answer"]({ shortId, value, ...extra }, { sessionId: null });
  await turns();
  return result;
}

describe("an answer is claimed", () => {
  it("by a tap: the worker gets the reply with a nonce that fits the hash it was told", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    const told = rig.store.prompts.find(event.promptId)?.nonceHash;
    await rig.chat.tap(rig.chat.cards()[0]!, "3");
    expect(rig.readState(event)).toBe("answering");
    expect(rig.link.replies).toHaveLength(1);
    const [reply] = rig.link.replies;
    expect(reply).toMatchObject({ value: "3", channelIdentity: "chat:1", newlinePolicy: "append" });
    expect(createHash("sha256").update(reply!.nonce).digest("hex")).toBe(told);
    expect(rig.chat.lastAnswer).toBe("No: accepted for claude");
  });

  it("in words, and the reply is only a receipt: the card shows what becomes of it", async () => {
    const rig = await makeRig();
    await rig.raise();
    const { deliveryId } = rig.chat.cards()[0]!.notice;
    const identity = ARA.identities[0] as Identity;
    const raw = { ref: { message: 999 }, deliveryId, identity, place: "p1", receivedAt: 0 };
    await rig.chat.receive({ kind: "text_reply", ...raw, text: "9" });
    expect(rig.chat.answers.at(-1)!.answer.isReceipt).toBeUndefined();
    await rig.chat.receive({ kind: "text_reply", ...raw, text: "3" });
    expect(rig.chat.answers.at(-1)!.answer).toMatchObject({
      text: "No: accepted for claude",
      isReceipt: true,
    });
  });

  it("by the safe default: it says no where the tool highlights yes", async () => {
    const rig = await makeRig();
    await rig.raise({ defaultChoice: 1 });
    expect(await answer(rig, null)).toMatchObject({ claimed: true });
    expect(rig.link.replies).toMatchObject([{ value: "3" }]);
  });

  it("not by a number that is none of the choices on the screen, unless the prefix says that it is meant", async () => {
    const rig = await makeRig();
    const content = { text: "(l)ocal, (o)ther or (u)nresolved for a.txt?", cut: null };
    await rig.raise({ promptType: "free_text", choices: [], constraints: {}, content });
    const refused = await answer(rig, "2");
    expect(refused.rejection?.text).toMatch(/^2 is none of the choices .*nothing was typed.*`text:2` types/);
    expect(rig.link.replies).toEqual([]);
    expect(await answer(rig, "text:2")).toMatchObject({ claimed: true });
    expect(rig.link.replies).toMatchObject([{ value: "2" }]);
  });

  it("by a number behind the prefix wherever a text is asked for", async () => {
    const rig = await makeRig();
    await rig.raise({ promptType: "free_text", choices: [], constraints: {} });
    expect(await answer(rig, "text:80")).toMatchObject({ claimed: true });
    expect(rig.link.replies).toMatchObject([{ value: "80" }]);
  });

  it("not by a safe default where no choice only says no, and the choices are told instead", async () => {
    const rig = await makeRig();
    const choices = [
      { label: "Blue", intent: "other" },
      { label: "Green", intent: "other" },
    ] as const;
    const event = await rig.raise({ choices, defaultChoice: 1 });
    const refused = await answer(rig, null);
    expect(refused.rejection).toMatchObject({ code: "no_default" });
    expect(refused.rejection?.text).toMatch(/Nothing was typed\. .*number.* 1: Blue; 2: Green$/);
    expect(rig.readState(event)).toBe("pending");
    expect(rig.link.replies).toEqual([]);
  });

  it("once of a thousand concurrent tries, and the other 999 are told who was first", async () => {
    const rig = await makeRig();
    await rig.raise();
    const { shortId } = rig.store.prompts.listAfter(null, 100)[0]!;
    const tries = Array.from({ length: 1000 }, (_, at) =>
      Promise.resolve().then(() =>
        rig.core.handlers["prompt.answer"]({ shortId, value: String((at % 3) + 1) }, { sessionId: null }),
      ),
    );
    const results = await Promise.all(tries);
    expect(results.filter(({ claimed }) => claimed)).toHaveLength(1);
    const told = new Set(results.flatMap((result) => (result.claimed ? [] : [result.rejection?.text])));
    expect(told).toEqual(new Set(["Already answered by the local user; the card shows the outcome."]));
    expect(rig.link.replies).toHaveLength(1);
  });

  it("once of a thousand that come from three channels at once", async () => {
    const other = new FakeChannel();
    const people = [ARA, { name: "Bo", identities: ["other:7"], role: "approver" }] as const;
    const configuredChannels = (chat: FakeChannel) => [
      configureChannel(chat),
      configureChannel(other, { id: "other" }),
    ];
    const rig = await makeRig({ configuredChannels, settings: { ...SETTINGS, people } });
    const event = await rig.raise();
    const [mine, theirs] = [rig.chat.cards()[0]!, other.cards()[0]!];
    const taps: Promise<void>[] = [];
    const claims: ReturnType<typeof answer>[] = [];
    for (let at = 0; at < 1000; at += 1) {
      const value = String((at % 3) + 1);
      if (at % 3 === 0) taps.push(rig.chat.tap(mine, value, "chat:1", `u${at}`));
      else if (at % 3 === 1) taps.push(other.tap(theirs, value, "other:7", `u${at}`));
      else claims.push(answer(rig, value));
    }
    await Promise.all(taps);
    const texts = [
      ...[...rig.chat.answers, ...other.answers].map((told) => told.answer.text),
      ...(await Promise.all(claims)).map(({ claimed, rejection: why }) =>
        claimed ? "taken: on its way" : why?.text,
      ),
    ];
    const losers = texts.filter((text) => text?.includes("on its way") !== true);
    expect([texts.length, losers.length]).toEqual([1000, 999]);
    const winner = rig.store.prompts.find(event.promptId)?.answeredBy ?? "";
    expect(new Set(losers)).toEqual(new Set([`Already answered by ${winner}; the card shows the outcome.`]));
    expect(rig.link.replies).toHaveLength(1);
    expect(await rig.begin(event)).toBe("injecting");
    expect(readDatabase(rig.path, "SELECT 1 FROM replies")).toHaveLength(1);
    expect(readDatabase(rig.path, "SELECT 1 FROM injections")).toHaveLength(1);
  });

  it("never by a stranger or a viewer, who learn nothing of the prompt", async () => {
    const viewer = { name: "Vi", identities: ["chat:2"], role: "viewer" } as const;
    const rig = await makeRig({ settings: { ...SETTINGS, people: [ARA, viewer] } });
    const event = await rig.raise();
    for (const identity of ["chat:2", "chat:3", "other:1"])
      await rig.chat.tap(rig.chat.cards()[0]!, "1", identity);
    expect(rig.readState(event)).toBe("pending");
    const texts = rig.chat.answers.map(({ answer: { text } }) => text);
    expect(texts).toEqual(["You may not answer this prompt.", "You may not answer this prompt."]);
  });

  it.each([
    ["is seen to be one", {}, { sessionId: null, isSupervised: true }],
    ["says so", { inside: SESSION }, { sessionId: null }],
    ["speaks as a session", {}, { sessionId: SESSION }],
  ])("never by a supervised tool that %s, and each try is on record", async (_, extra, caller) => {
    const rig = await makeRig();
    const { promptId } = await rig.raise();
    const { shortId } = rig.store.prompts.find(promptId)!;
    const result = rig.core.handlers["prompt.answer"]({ shortId, value: "1", ...extra }, caller);
    expect(result).toMatchObject({ claimed: false, promptId, rejection: { code: "supervised" } });
    expect(rig.store.prompts.find(promptId)?.state).toBe("pending");
    const row = readDatabase(rig.path, "SELECT * FROM audit WHERE step = 'answer_rejected'");
    expect(row).toMatchObject([
      {
        prompt_id: promptId,
        session_id: SESSION,
        identity: LOCAL_IDENTITY,
        details: '{"code":"supervised"}',
      },
    ]);
    expect(await answer(rig, "1")).toMatchObject({ claimed: true });
  });

  it("not while paused, also after a restart", async () => {
    const rig = await makeRig();
    await rig.raise();
    await rig.core.setPaused(true, LOCAL_IDENTITY);
    await rig.core.stop();
    const again = await makeRig({ path: rig.path });
    expect(await answer(again, "1")).toMatchObject({ claimed: false, rejection: { code: "paused" } });
    await again.core.setPaused(false, LOCAL_IDENTITY);
    expect(await answer(again, "1")).toMatchObject({ claimed: true });
  });

  it("not with a value that is no choice; the nonce is not burnt", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    const before = rig.store.prompts.find(event.promptId)?.nonce;
    expect(await answer(rig, "4")).toMatchObject({ claimed: false, rejection: { code: "option_unknown" } });
    expect(await answer(rig, "not ok")).toMatchObject({ claimed: false });
    expect(rig.store.prompts.find(event.promptId)?.nonce).toBe(before);
    expect(await answer(rig, "2")).toMatchObject({ claimed: true });
  });

  it("again with the same reply id after a lost connection, without being told it was used", async () => {
    const rig = await makeRig();
    await rig.raise();
    const replyId = "33333333-3333-4333-8333-333333333333";
    expect(await answer(rig, "2", { replyId })).toMatchObject({ claimed: true });
    expect(await answer(rig, "2", { replyId })).toMatchObject({ claimed: true });
    expect(await answer(rig, "2")).toMatchObject({ claimed: false, rejection: { code: "used" } });
    await expect(answer(rig, "2", { replyId: "no uuid" })).rejects.toMatchObject({ code: "ATB_HUB_REFUSED" });
  });

  it("of a secret never, and no card of it has a button or takes text", async () => {
    const rig = await makeRig();
    const event = await rig.raise({
      promptType: "secret",
      safetyClass: "secret",
      choices: [],
    });
    expect(rig.chat.cards()[0]?.notice).toMatchObject({ buttons: [], acceptsText: false });
    expect(await answer(rig, "hunter2")).toMatchObject({ claimed: false, rejection: { code: "secret" } });
    await rig.chat.text("hunter2", { ref: rig.chat.cards()[0]!.ref });
    expect(rig.chat.lastAnswer).toBe(
      "This prompt can only be answered at the terminal. Delete your message: it stays in this chat's history.",
    );
    expect(rig.readState(event)).toBe("pending");
    expect(JSON.stringify(rig.store.prompts.listAfter(null, 100))).not.toContain("hunter2");
  });
});

describe("the deadline of a prompt", () => {
  const { expires_after: expiresAfterMs } = SETTINGS.prompts;

  it.each([
    { offsetMs: -1, claimed: true },
    { offsetMs: 0, claimed: false },
    { offsetMs: 1, claimed: false },
  ])(
    "is judged by the claim itself: $offsetMs ms from it, claimed is $claimed",
    async ({ offsetMs, claimed }) => {
      // Not started: no timer can settle the prompt before the claim looks at it.
      const rig = await makeRig({ started: false });
      const event = await rig.raise();
      rig.clock.advance(expiresAfterMs + offsetMs);
      const result = await answer(rig, "1");
      expect(result.claimed).toBe(claimed);
      expect(rig.readState(event)).toBe(claimed ? "answering" : "expired");
      if (!claimed) expect(result.rejection?.code).toBe("expired");
    },
  );
});
