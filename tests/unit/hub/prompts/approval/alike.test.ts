/** Several open prompts that are the same request: answered together, each with its own claim, and nothing else with them. */
import { describe, expect, it } from "vitest";
import { readExactRequest } from "../../../../../src/hub/policy/exact-request.js";
import { NO_POLICY, type ActivePolicy } from "../../../../../src/hub/policy/verdict.js";
import type { PromptEvent } from "../../../../../src/model/prompt.js";
import { commandPrompt, WORLD } from "../../../../support/policy/policies.js";
import { CAPABILITIES, configureChannel, turns } from "../../fake-channel.js";
import { ARA, makeRig, SESSION, SETTINGS, type Rig, type RigOptions } from "../../rig.js";
import { asking, BEN, CAREFUL, DAN, NO_RULES, readShortId } from "./asking.js";

const readExact: NonNullable<ActivePolicy["readExact"]> = (event, session, now) =>
  readExactRequest({ event, session, now }, WORLD);
const QUICK = { ...CAPABILITIES, pace: { place: () => [], all: [], edits: [] } };

function rigOf(over: RigOptions = {}): Promise<Rig> {
  return makeRig({
    policy: () => ({ ...NO_POLICY, readExact }),
    settings: { ...SETTINGS, people: [ARA, BEN, DAN] },
    configuredChannels: (chat) => [configureChannel(chat, { capabilities: QUICK })],
    ...over,
  });
}

function ask(rig: Rig, n: number, line = "npm test", over: Partial<PromptEvent> = {}) {
  const { content, excerpt, safetyClass, choices, constraints } = commandPrompt(line, over);
  return rig.raise({ content, excerpt, safetyClass, choices, constraints, ...over }, n);
}

async function askThree(rig: Rig): Promise<PromptEvent[]> {
  return [await ask(rig, 1), await ask(rig, 2), await ask(rig, 3)];
}

const ids = (rig: Rig, events: readonly PromptEvent[]): string[] =>
  events.map((event) => readShortId(rig, event));

async function list(rig: Rig) {
  await rig.chat.text("prompts");
  return rig.chat.answers.at(-1)!.answer;
}

async function tap(rig: Rig, token: string | undefined, identity = "chat:1", place = "p1"): Promise<void> {
  const inbound = { kind: "tap", token: token ?? "none", identity: identity as never, place, receivedAt: 0 };
  await rig.chat.receive(inbound as never);
}

describe("the list in a chat", () => {
  it("has one button for three prompts that are the same request, and names exactly those", async () => {
    const rig = await rigOf();
    const events = await askThree(rig);
    await ask(rig, 4, "npm run build");
    const { text, buttons } = await list(rig);
    const [a, b, c] = ids(rig, events);
    expect(buttons?.map(({ label }) => label)).toEqual([`Yes to these 3: ${a}, ${b}, ${c}`]);
    expect(text).toContain(
      `Same request, 3 times: npm test · /home/ara/project\n  answer ${a},${b},${c} yes`,
    );
    expect(text.split("\n").filter((line) => line.includes("claude"))).toHaveLength(4);
  });

  it("a tap claims each with a nonce and an audit row of its own", async () => {
    const rig = await rigOf();
    const events = await askThree(rig);
    const other = await ask(rig, 4, "npm run build");
    const { buttons } = await list(rig);
    await tap(rig, buttons?.[0]?.token);
    expect(rig.chat.lastAnswer).toBe(`${ids(rig, events).join(", ")}: Yes, accepted`);
    expect(rig.link.replies.map(({ promptId, value }) => [promptId, value])).toEqual(
      events.map(({ promptId }) => [promptId, "1"]),
    );
    expect(new Set(rig.link.replies.map(({ nonce }) => nonce)).size).toBe(3);
    for (const { promptId } of events)
      expect(rig.store.audit.listSteps(promptId).map(({ step }) => step)).toContain("prompt_claimed");
    expect(rig.readState(other)).toBe("pending");
    await tap(rig, buttons?.[0]?.token);
    expect(rig.link.replies).toHaveLength(3);
  });

  it("what is gone or answered when the tap comes is left out, by name", async () => {
    const rig = await rigOf();
    const [first, second, third] = await askThree(rig);
    const { buttons } = await list(rig);
    await rig.core.handlers["prompt.withdraw"](
      { promptId: first!.promptId, reason: "left_screen" },
      { sessionId: SESSION },
    );
    await rig.chat.text(`answer ${readShortId(rig, second!)} 3`, { identity: "chat:2" });
    // Asked after the button was shown: it is not on it.
    const later = await ask(rig, 4);
    await tap(rig, buttons?.[0]?.token);
    expect(rig.chat.lastAnswer).toBe(
      [
        `${readShortId(rig, third!)}: Yes, accepted`,
        "Left out:",
        `${readShortId(rig, first!)}: The prompt is gone: it was answered at the terminal or disappeared.`,
        `${readShortId(rig, second!)}: Already answered by Ben; the card shows the outcome.`,
      ].join("\n"),
    );
    expect(rig.readState(later)).toBe("pending");
    expect(rig.link.replies.map(({ value }) => value)).toEqual(["3", "1"]);
  });

  it("is no way for somebody who may not answer, nor from another chat", async () => {
    const rig = await rigOf();
    await askThree(rig);
    const { buttons } = await list(rig);
    await tap(rig, buttons?.[0]?.token, "chat:4");
    expect(rig.chat.lastAnswer).toContain("You may not answer this prompt.");
    await tap(rig, buttons?.[0]?.token, "chat:1", "p2");
    expect(rig.chat.lastAnswer).toBe("This is a copy; answer the original message.");
    await rig.chat.text("prompts", { identity: "chat:4" });
    expect(rig.chat.answers.at(-1)?.answer.buttons).toBeUndefined();
    expect(rig.link.replies).toEqual([]);
  });
});

describe("what is never answered together with others", () => {
  it.each([
    [
      "another directory",
      {
        content: {
          ...commandPrompt("npm test").content,
          call: { tool: "Bash", input: { command: "npm test" }, cwd: "/srv" },
        },
      },
    ],
    ["another argument", { content: commandPrompt("npm test -- --watch").content }],
    ["cut content", { content: { ...commandPrompt("npm test").content, cut: { missing: 3 } as never } }],
    [
      "hidden content",
      {
        content: {
          ...commandPrompt("npm test").content,
          hidden: { characters: 9, kinds: ["token"] },
        },
      },
    ],
    ["low confidence", { confidence: "low" as const }],
    ["an unknown prompt", { promptType: "unknown" as const }],
    ["a question", { safetyClass: "question" as const }],
    ["a deletion", { content: commandPrompt("rm -rf build").content }],
  ])("%s", async (_, over) => {
    const rig = await rigOf();
    const same = [await ask(rig, 1), await ask(rig, 2)];
    const other = await ask(rig, 3, "npm test", over);
    const { buttons } = await list(rig);
    expect(buttons?.map(({ label }) => label)).toEqual([`Yes to these 2: ${ids(rig, same).join(", ")}`]);
    await rig.chat.text(`answer ${ids(rig, [...same, other]).join(",")} yes`);
    expect(rig.readState(other)).toBe("pending");
    expect(rig.chat.lastAnswer).toContain(`${readShortId(rig, other)}: It `);
    expect(rig.link.replies).toHaveLength(2);
  });

  it("what needs a number or several people", async () => {
    const careful = await rigOf({
      policy: () => ({ ...NO_RULES, readExact }),
      settings: CAREFUL,
    });
    await ask(careful, 1, "rm -rf build");
    await ask(careful, 2, "rm -rf build");
    expect((await list(careful)).buttons).toBeUndefined();
    const two = await asking("quorum: 2");
    await ask(two, 1);
    await ask(two, 2);
    expect((await list(two)).buttons).toBeUndefined();
  });

  it("an answer that allows more than just this", async () => {
    const rig = await rigOf();
    const events = await askThree(rig);
    await rig.chat.text(`answer ${ids(rig, events).join(",")} 2`);
    expect(rig.chat.lastAnswer).toContain("Together they take only a yes to just this, or a no.");
    expect(rig.link.replies).toEqual([]);
  });
});

describe("in writing", () => {
  it("a no is given to all of them, too, in the chat and at this machine", async () => {
    const rig = await rigOf();
    const events = await askThree(rig);
    await rig.chat.text(`answer ${ids(rig, events.slice(0, 2)).join(", ")} no`);
    expect(rig.chat.lastAnswer).toBe(`${ids(rig, events.slice(0, 2)).join(", ")}: No, accepted`);
    const [, , last] = events;
    const shortIds = [readShortId(rig, last!), "00"];
    const results = await rig.core.handlers["prompts.answer"]({ shortIds, value: "1" }, { sessionId: null });
    await turns();
    expect(results.map(({ rejection }) => rejection?.code ?? null)).toEqual([null, "unknown_prompt"]);
    expect(rig.link.replies.map(({ value }) => value)).toEqual(["3", "3", "1"]);
  });

  it("never by a supervised tool", async () => {
    const rig = await rigOf();
    const shortIds = ids(rig, await askThree(rig));
    const results = await rig.core.handlers["prompts.answer"](
      { shortIds, value: "1", inside: "x" },
      { sessionId: null },
    );
    expect(results.map(({ rejection }) => rejection?.code)).toEqual([
      "supervised",
      "supervised",
      "supervised",
    ]);
    expect(rig.link.replies).toEqual([]);
  });

  it("the list for clients says which are the same", async () => {
    const rig = await rigOf();
    const events = await askThree(rig);
    await ask(rig, 4, "npm run build");
    const listed = await rig.core.handlers["prompts.list"]({ all: false }, { sessionId: null });
    const alike = { value: "1", shortIds: ids(rig, events) };
    expect(listed.map((prompt) => prompt.alike)).toEqual([alike, alike, alike, undefined]);
  });

  it("show k7 gives the content of a prompt, in its own chat", async () => {
    const rig = await rigOf();
    const event = await ask(rig, 1, "npm test && npm run build");
    await rig.chat.text(`show ${readShortId(rig, event)}`);
    expect(rig.chat.lastAnswer).toContain(
      "npm test && npm run build\n1  Yes\n2  Yes, and don't ask again\n3  No",
    );
    await rig.chat.text(`show ${readShortId(rig, event)}`, { place: "elsewhere" });
    expect(rig.chat.lastAnswer).toContain("There is no prompt");
  });
});
