/** Verdicts act in the hub: with the same proof, record and words as an answer of a person, within the mode, below the kill switch. */
import { describe, expect, it } from "vitest";
import { CATCH_UP_MS } from "../../../../../src/hub/people/listening-gaps.js";
import { decide } from "../../../../../src/hub/policy/decide.js";
import type { ActivePolicy } from "../../../../../src/hub/policy/verdict.js";
import { asId } from "../../../../../src/model/ids.js";
import type { Mode } from "../../../../../src/model/policy-mode.js";
import { commandPrompt, parseRules, WORLD } from "../../../../support/policy/policies.js";
import { turns } from "../../fake-channel.js";
import {
  ARA,
  makeEvent,
  makeRig,
  SESSION,
  SETTINGS,
  tempDirectory,
  type Rig,
  type RigOptions,
} from "../../rig.js";
import { join } from "node:path";

const RULES = parseRules(`
  - { id: lists, match: { command: [ls] }, answer: allow_once, max: 2 }
  - { id: no-push, match: { command: [git push] }, deny: "Not from here." }
  - { id: prod, match: { command: [deploy] }, ask: { approvers: [Ben], expires: 5m, on_expiry: safe_default } }
  - { id: here, match: { command: [reboot] }, ask: { local_only: true } }
  - { id: told, match: { command: [sleep] }, notify: true }
`);

function following(mode: Mode = "full", rules = RULES, countdownMs = 30_000): ActivePolicy {
  return {
    mode,
    countdownMs,
    decide: (event, session, now, uses) => decide(rules, { event, session, now }, WORLD, uses),
  };
}

function rigWith(policy: ActivePolicy, over: RigOptions = {}): Promise<Rig> {
  return makeRig({ policy: () => policy, ...over });
}

function command(line: string) {
  const { content, excerpt, safetyClass, choices, constraints } = commandPrompt(line);
  const takesText = choices.map((choice) =>
    choice.intent === "reject_once" ? ({ ...choice, takesText: "optional" } as const) : choice,
  );
  return { content, excerpt, safetyClass, choices: takesText, constraints };
}

function cards(rig: Rig) {
  return rig.chat.cards().map(({ notice }) => notice);
}

function steps(rig: Rig, promptId: string): string[] {
  return rig.store.audit.listSteps(promptId).map(({ step }) => step);
}

describe("in mode full", () => {
  it("an answer of a rule is claimed, sent and proved like a person's, without a card", async () => {
    const rig = await rigWith(following());
    const event = await rig.raise(command("ls"));
    expect(rig.link.replies).toMatchObject([{ value: "1", channelIdentity: "auto:policy" }]);
    await rig.begin(event);
    expect(await rig.end(event)).toBe("answered");
    expect(cards(rig)).toEqual([]);
    expect(steps(rig, event.promptId)).toEqual([
      "prompt_raised",
      "prompt_claimed",
      "injection_began",
      "injection_ended",
    ]);
    expect(rig.store.prompts.find(event.promptId)?.answeredBy).toBe("the policy (rule lists)");
  });

  it("a denial rejects, with its message where the tool takes one", async () => {
    const rig = await rigWith(following());
    await rig.raise(command("git push"));
    expect(rig.link.replies).toMatchObject([{ value: "3", text: "Not from here." }]);
    const plain = command("git push").choices.map(({ label, intent }) => ({ label, intent }));
    await rig.raise({ ...command("git push"), choices: plain }, 2);
    expect(rig.link.replies[1]).not.toHaveProperty("text");
  });

  it("a rule answers as often as it may in a session, also after a restart, and never more", async () => {
    const path = join(tempDirectory(), "atlasbridge.db");
    const first = await rigWith(following(), { path });
    await first.raise(command("ls"), 1);
    // As after kill -9: nothing is closed in order.
    first.store.close();
    const rig = await rigWith(following(), { path });
    await rig.raise(command("ls"), 2);
    const third = await rig.raise(command("ls"), 3);
    expect(rig.readState(makeEvent(2))).toBe("answering");
    expect(rig.readState(third)).toBe("pending");
    expect(cards(rig).at(-1)?.policyNote).toContain("it has answered 2 times in this session");
  });

  it("counts no use twice for a prompt that its worker raises again", async () => {
    const rig = await rigWith(following());
    await rig.raise(command("ls"), 1);
    await rig.raise(command("ls"), 1);
    await rig.raise(command("ls"), 2);
    expect(rig.readState(makeEvent(2))).toBe("answering");
  });

  it("people get the card of an answer that the worker refused, and hear of one that was not confirmed", async () => {
    const rig = await rigWith(following());
    const event = await rig.raise(command("ls"));
    const replyId = rig.store.prompts.find(event.promptId)?.replyId ?? "";
    const rejection = { code: "typing", text: "somebody was typing" };
    await rig.core.handlers["reply.refuse"](
      { promptId: event.promptId, replyId, rejection, stillAsked: true },
      {
        sessionId: SESSION,
      },
    );
    await turns();
    expect(rig.readState(event)).toBe("pending");
    expect(cards(rig).map(({ policyNote }) => policyNote)).toEqual([
      "Rule lists gave the answer Yes, which was not applied: it is for you to decide.",
    ]);
    const other = await rig.raise(command("ls"), 2);
    await rig.begin(other);
    expect(await rig.end(other, { outcome: "uncertain" })).toBe("uncertain");
    expect(rig.chat.texts().join("\n")).toContain("not confirmed");
  });

  it("nothing is answered while paused, and the card says what the rule would do", async () => {
    const rig = await rigWith(following());
    await rig.core.setPaused(true, asId("cli:local"));
    const event = await rig.raise(command("ls"));
    expect(rig.readState(event)).toBe("pending");
    expect(rig.link.replies).toEqual([]);
    expect(cards(rig)[0]?.policyNote).toBe("Rule lists would answer: Yes.");
  });

  it("says on the card and in the record which rule decided", async () => {
    const rig = await rigWith(following());
    const event = await rig.raise(command("ls"));
    const raised = [...rig.store.audit.readAfter(0)].find((row) => row.step === "prompt_raised");
    expect(JSON.parse(raised?.details ?? "{}")).toMatchObject({
      verdict: "answer",
      rule: "lists",
      reason: expect.stringContaining("lists") as string,
    });
    expect(event.promptId).toBe(raised?.promptId);
  });
});

describe("a rule that asks", () => {
  const BEN = { name: "Ben", identities: ["chat:2"], role: "approver" } as const;
  const settings = { ...SETTINGS, people: [ARA, BEN] };

  it("lets only its approvers answer, and not even the local user", async () => {
    const rig = await rigWith(following(), { settings });
    const event = await rig.raise(command("deploy"));
    const { shortId } = rig.store.prompts.find(event.promptId) ?? {};
    const local = await rig.core.handlers["prompt.answer"](
      { shortId: shortId ?? "", value: "1" },
      { sessionId: null },
    );
    expect(local).toMatchObject({ claimed: false, rejection: { code: "not_allowed" } });
    const [card] = rig.chat.cards();
    await rig.chat.tap(card!, "1", "chat:1");
    expect(rig.readState(event)).toBe("pending");
    await rig.chat.tap(card!, "1", "chat:2");
    expect(rig.readState(event)).toBe("answering");
  });

  it("sets when the prompt expires, and what happens then", async () => {
    const rig = await rigWith(following(), { settings });
    const event = await rig.raise(command("deploy"));
    expect(rig.store.prompts.find(event.promptId)?.deadlineAt).toBe(rig.clock.now() + 5 * 60_000);
    rig.clock.advance(5 * 60_000);
    expect(rig.link.replies).toMatchObject([{ value: "3", channelIdentity: "auto:timeout" }]);
  });

  it("reminds people where its escalation says so", async () => {
    const rules = parseRules(
      "\n  - { id: prod, ask: { escalate: [{ after: 5m, to: lead }] } }\n",
      "roles: { lead: [Ara] }",
    );
    const rig = await rigWith(following("full", rules));
    await rig.raise(command("deploy"));
    rig.clock.advance(5 * 60_000);
    await turns();
    expect(rig.chat.texts().join()).toContain("still waiting");
  });

  it("keeps a prompt on this machine, or only tells of it", async () => {
    const rig = await rigWith(following());
    for (const [n, line] of [
      [1, "reboot"],
      [2, "sleep 1"],
    ] as const) {
      const event = await rig.raise(command(line), n);
      expect(cards(rig).at(-1)?.buttons).toEqual([]);
      if (line === "sleep 1")
        expect(cards(rig).at(-1)?.policyNote).toBe("Rule told: this is to be answered at the terminal.");
      const { shortId = "" } = rig.store.prompts.find(event.promptId) ?? {};
      const local = await rig.core.handlers["prompt.answer"]({ shortId, value: "3" }, { sessionId: null });
      expect(local.claimed).toBe(true);
    }
  });
});

describe("in mode off", () => {
  it("people answer everything", async () => {
    const rig = await rigWith(following("off"));
    const event = await rig.raise(command("ls"));
    const denied = await rig.raise(command("git push"), 2);
    expect([rig.readState(event), rig.readState(denied)]).toEqual(["pending", "pending"]);
    expect(cards(rig)[0]?.policyNote).toBeUndefined();
  });
});

describe("in mode assist", () => {
  it("the answer is suggested on the card and given when the countdown ends", async () => {
    const rig = await rigWith(following("assist"));
    const event = await rig.raise(command("ls"));
    expect(cards(rig)[0]?.policyNote).toMatch(
      /^Rule lists answers Yes 30 s after the prompt if it then still may \(not while paused\), unless/,
    );
    rig.clock.advance(29_000);
    expect(rig.readState(event)).toBe("pending");
    rig.clock.advance(1_000);
    expect(rig.readState(event)).toBe("answering");
    expect(rig.link.replies).toMatchObject([{ value: "1", channelIdentity: "auto:policy" }]);
  });

  it("a tap decides before", async () => {
    const rig = await rigWith(following("assist"));
    const event = await rig.raise(command("ls"));
    await rig.chat.tap(rig.chat.cards()[0]!, "3");
    rig.clock.advance(60_000);
    expect(rig.link.replies).toMatchObject([{ value: "3", channelIdentity: "chat:1" }]);
    expect(rig.readState(event)).toBe("answering");
  });

  it("a person holds it, and then only people answer", async () => {
    const rig = await rigWith(following("assist"));
    const event = await rig.raise(command("ls"));
    const { shortId = "" } = rig.store.prompts.find(event.promptId) ?? {};
    await rig.chat.text(`hold ${shortId}`, { identity: "chat:9" });
    await rig.chat.text(`hold ${shortId}`, { identity: "chat:1" });
    expect(steps(rig, event.promptId)).toContain("countdown_stopped");
    rig.clock.advance(120_000);
    expect(rig.readState(event)).toBe("pending");
  });

  it.each([
    ["the hub is paused", async (rig: Rig) => rig.core.setPaused(true, asId("cli:local"))],
    ["the mode is off by then", async (rig: Rig) => rig.chat.text("mode claude off", { identity: "chat:1" })],
  ] as [string, (rig: Rig) => Promise<void>][])("nothing is given if %s", async (_, change) => {
    const rig = await rigWith(following("assist"));
    const event = await rig.raise(command("ls"));
    await change(rig);
    rig.clock.advance(120_000);
    expect(rig.readState(event)).toBe("pending");
  });

  it("nothing is given if the rules changed, or are used up by then", async () => {
    let policy = following("assist");
    const rig = await makeRig({ policy: () => policy });
    const event = await rig.raise(command("ls"));
    policy = following(
      "assist",
      parseRules("\n  - { id: lists, match: { command: [pwd] }, answer: allow_once }\n"),
    );
    rig.clock.advance(120_000);
    expect(rig.readState(event)).toBe("pending");
  });
});

describe("the mode of a session", () => {
  it("is chosen by an approver, from a chat or on this machine, and survives a restart", async () => {
    const path = join(tempDirectory(), "atlasbridge.db");
    const first = await rigWith(following("off"), { path });
    await first.chat.text("mode claude full", { identity: "chat:9" });
    expect(first.readState(await first.raise(command("ls"), 1))).toBe("pending");
    await first.chat.text("mode claude full", { identity: "chat:1" });
    first.store.close();
    const rig = await rigWith(following("off"), { path });
    expect(rig.readState(await rig.raise(command("ls"), 2))).toBe("answering");
    await rig.core.handlers["session.mode"]({ sessionId: SESSION, mode: "off" }, { sessionId: null });
    expect(rig.readState(await rig.raise(command("ls"), 3))).toBe("pending");
  });

  it("is only ever turned off by a supervised tool", async () => {
    const rig = await rigWith(following("full"));
    const set = (mode: Mode) =>
      rig.core.handlers["session.mode"](
        { sessionId: SESSION, mode },
        { sessionId: null, isSupervised: true },
      );
    expect(() => set("full")).toThrow(/supervised/);
    await set("off");
    expect(rig.readState(await rig.raise(command("ls")))).toBe("pending");
  });
});

it("without a policy nothing speaks of rules", async () => {
  const rig = await makeRig();
  await rig.raise(command("ls"));
  expect(cards(rig)[0]).not.toHaveProperty("policyNote");
  await rig.chat.text("help", { identity: "chat:1" });
  expect(JSON.stringify(rig.chat.answers)).not.toContain("rules");
});

describe("a countdown that people could not stop", () => {
  it("waits after the computer slept until answers that were given meanwhile have come in", async () => {
    const rig = await rigWith(following("assist"));
    const event = await rig.raise(command("ls"));
    rig.clock.sleep(40_000);
    rig.clock.advance(30_000);
    expect(rig.readState(event)).toBe("pending");
    await rig.chat.tap(rig.chat.cards()[0]!, "3");
    rig.clock.advance(60_000);
    expect(rig.link.replies).toMatchObject([{ value: "3", channelIdentity: "chat:1" }]);
  });

  it("ends after such a gap where nobody stopped it", async () => {
    const rig = await rigWith(following("assist"));
    const event = await rig.raise(command("ls"));
    rig.clock.sleep(40_000);
    rig.clock.advance(30_000 + CATCH_UP_MS);
    expect(rig.readState(event)).toBe("answering");
  });

  it("waits after a restart of the hub until answers that were given meanwhile have come in", async () => {
    const path = join(tempDirectory(), "atlasbridge.db");
    const first = await rigWith(following("assist"), { path });
    const event = await first.raise(command("ls"));
    await first.core.stop();
    first.clock.advance(31_000);
    const rig = await rigWith(following("assist"), { path, clock: first.clock, chat: first.chat });
    rig.clock.advance(CATCH_UP_MS - 1);
    expect(rig.readState(event)).toBe("pending");
    rig.clock.advance(1);
    expect(rig.readState(event)).toBe("answering");
  });

  it("waits while the chat with its card is not connected", async () => {
    const rig = await rigWith(following("assist"));
    const event = await rig.raise(command("ls"));
    rig.core.reach.noteHealth("chat", { state: "degraded", reason: "HTTP 502", action: "wait" });
    rig.clock.advance(10 * 60_000);
    expect(rig.readState(event)).toBe("pending");
    rig.core.reach.noteHealth("chat", { state: "connected" });
    rig.clock.advance(5_000);
    expect(rig.readState(event)).toBe("answering");
  });
});
