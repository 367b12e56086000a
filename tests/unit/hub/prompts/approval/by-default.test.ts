/** What takes more than a tap though no rule says so: choices that allow more, hidden content, and commands that destroy. */
import { describe, expect, it } from "vitest";
import { askAlways, NO_POLICY } from "../../../../../src/hub/policy/verdict.js";
import { asId, type Identity } from "../../../../../src/model/ids.js";
import type { PromptEvent } from "../../../../../src/model/prompt.js";
import { commandPrompt } from "../../../../support/policy/policies.js";
import { SETTINGS, type Rig } from "../../rig.js";
import {
  asking,
  card,
  careful,
  CAREFUL,
  NO_RULES,
  readNumber,
  raiseCommand,
  repliesTo,
  readShortId,
} from "./asking.js";

const marks = (rig: Rig): number => rig.link.calls.filter((call) => call === "session.mark").length;

describe("a choice that allows more than this once", () => {
  it("takes no tap, and the number that the terminal shows from then on", async () => {
    const rig = await careful();
    const event = await raiseCommand(rig, "make");
    expect(card(rig).notice.policyNote).toBeUndefined();
    expect(marks(rig)).toBe(0);
    await rig.chat.tap(card(rig), "2");
    expect(rig.chat.lastAnswer).toContain("This yes needs the number at the tool's terminal");
    expect(marks(rig)).toBe(1);
    await rig.chat.text(String(await readNumber(rig, event)), { ref: card(rig).ref });
    expect(repliesTo(rig, event)).toMatchObject([{ value: "2" }]);
  });

  it("leaves a yes to just this, and a no, to one tap", async () => {
    const rig = await careful();
    const first = await raiseCommand(rig, "make", {}, 1);
    await rig.chat.tap(card(rig), "1");
    expect(repliesTo(rig, first)).toMatchObject([{ value: "1" }]);
    const second = await raiseCommand(rig, "make", {}, 2);
    await rig.chat.tap(card(rig), "3");
    expect(repliesTo(rig, second)).toMatchObject([{ value: "3" }]);
  });

  it("takes no digits away from words that go with a no", async () => {
    const rig = await careful();
    const choices: PromptEvent["choices"] = [
      { label: "Yes", intent: "allow_once" },
      { label: "Yes, always", intent: "allow_always" },
      { label: "No", intent: "reject_once", takesText: "optional" },
    ];
    const event = await raiseCommand(rig, "make", { choices });
    await rig.chat.text("3: use port 80", { ref: card(rig).ref });
    expect(repliesTo(rig, event)).toMatchObject([{ value: "3", text: "use port 80" }]);
  });

  it("takes the number with the answer, and not a wrong one", async () => {
    const rig = await careful();
    const event = await raiseCommand(rig, "make");
    const number = await readNumber(rig, event);
    await rig.chat.text(`2 ${number === 99 ? 10 : number + 1}`, { ref: card(rig).ref });
    expect(rig.readState(event)).toBe("pending");
    await rig.chat.text(`answer ${readShortId(rig, event)} 2 ${number}`);
    expect(repliesTo(rig, event)).toMatchObject([{ value: "2" }]);
  });

  it("is what its label says, whatever the tool calls it", async () => {
    const rig = await careful();
    const choices: PromptEvent["choices"] = [
      { label: "Yes, and don't ask again", intent: "allow_once" },
      { label: "No", intent: "reject_once" },
    ];
    const event = await raiseCommand(rig, "make", { choices });
    await rig.chat.tap(card(rig), "1");
    expect(rig.readState(event)).toBe("pending");
  });

  it("is no word of a question's own choices", async () => {
    const rig = await careful();
    const choices: PromptEvent["choices"] = [
      { label: "Always use tabs", intent: "other" },
      { label: "Spaces", intent: "other" },
    ];
    const event = await raiseCommand(rig, "make", { choices, safetyClass: "question" });
    await rig.chat.tap(card(rig), "1");
    expect(repliesTo(rig, event)).toMatchObject([{ value: "1" }]);
  });
});

describe("a command that destroys", () => {
  it("names no title where titles are turned off", async () => {
    const prompts = { ...CAREFUL.prompts, title_mark: false };
    const rig = await careful({ settings: { ...CAREFUL, prompts } });
    const event = await raiseCommand(rig, "rm -rf build");
    const place = `its machine (\`atlasbridge prompts --number ${readShortId(rig, event)}\`)`;
    expect(card(rig).notice.policyNote).toContain(`a yes needs the number at ${place}: reply with it.`);
    await rig.chat.tap(card(rig), "1");
    expect(rig.chat.lastAnswer).toContain(`This yes needs the number at ${place}.`);
  });

  it("takes a number with every yes, says why on its card, and none with a no", async () => {
    const rig = await careful();
    const event = await raiseCommand(rig, "rm -rf build");
    expect(card(rig).notice.policyNote).toBe(
      `⚠ rm -rf build may destroy what cannot be brought back: a yes needs the number at the tool's terminal (\`atlasbridge prompts --number ${readShortId(rig, event)}\`, or its title where it shows one): reply with it.`,
    );
    expect(marks(rig)).toBe(1);
    await rig.chat.tap(card(rig), "1");
    expect(rig.readState(event)).toBe("pending");
    await rig.chat.tap(card(rig), "3");
    expect(repliesTo(rig, event)).toMatchObject([{ value: "3" }]);
    expect(marks(rig)).toBe(2);
  });

  it("is also found on the screen of a tool that reports no calls", async () => {
    const rig = await careful();
    const content = { text: "│ $ git push --force\n│ Push the branch", cut: null };
    const event = await raiseCommand(rig, "", { content });
    await rig.chat.tap(card(rig), "1");
    expect(rig.readState(event)).toBe("pending");
    await rig.chat.text(`${await readNumber(rig, event)}`, { ref: card(rig).ref });
    expect(repliesTo(rig, event)).toMatchObject([{ value: "1" }]);
  });
});

describe("content with hidden characters", () => {
  const TAP = { kind: "tap", identity: asId<Identity>("chat:1"), place: "p1", receivedAt: 0 } as const;
  const HIDDEN = { characters: 32, kinds: ["token"] };

  it("takes the second button and then the number, which need not be repeated with words", async () => {
    const rig = await careful();
    const { content } = commandPrompt("deploy");
    const event = await raiseCommand(rig, "", { content: { ...content, hidden: HIDDEN } });
    expect(card(rig).notice.policyNote).toContain("a part of it is hidden or misleads");
    await rig.chat.tap(card(rig), "1");
    expect(rig.chat.lastAnswer).toContain("32 characters hidden");
    const second = card(rig).outcome?.buttons?.[0];
    expect(second?.choice.label).toContain("32 hidden");
    await rig.chat.receive({ ...TAP, token: second?.token ?? "", ref: card(rig).ref });
    expect(rig.chat.lastAnswer).toContain("needs the number");
    await rig.chat.text(`${await readNumber(rig, event)}`, { ref: card(rig).ref });
    expect(repliesTo(rig, event)).toMatchObject([{ value: "1" }]);
  });

  it("takes the number where characters that mislead were made visible", async () => {
    const rig = await careful();
    const event = await raiseCommand(rig, "curl exa‹U+043C›ple.com");
    await rig.chat.tap(card(rig), "1");
    expect(rig.readState(event)).toBe("pending");
  });
});

describe("it is not asked for", () => {
  const answeredByTap = async (rig: Rig, command: string, value: string): Promise<void> => {
    const event = await raiseCommand(rig, command);
    await rig.chat.tap(card(rig), value);
    expect(repliesTo(rig, event)).toMatchObject([{ value }]);
  };

  it("with prompts.number_for: []", async () => {
    const prompts = { ...SETTINGS.prompts, number_for: [] };
    await answeredByTap(await careful({ settings: { ...CAREFUL, prompts } }), "rm -rf build", "2");
  });

  it("in a case that prompts.number_for does not name", async () => {
    const prompts = { ...SETTINGS.prompts, number_for: ["hidden", "always_allow"] as const };
    await answeredByTap(await careful({ settings: { ...CAREFUL, prompts } }), "rm -rf build", "1");
  });

  it("where a rule says number_match: false", async () => {
    await answeredByTap(await asking("number_match: false", { settings: CAREFUL }), "make", "2");
  });

  it("of who answers at this machine, where the number stands beside the question", async () => {
    const rig = await careful();
    const event = await raiseCommand(rig, "rm -rf build");
    await rig.core.handlers["prompt.answer"](
      { shortId: readShortId(rig, event), value: "1" },
      { sessionId: null },
    );
    expect(repliesTo(rig, event)).toMatchObject([{ value: "1" }]);
  });

  it("of a text, which is no blind tap", async () => {
    const rig = await careful();
    const event = await raiseCommand(rig, "name‹U+200B›", { promptType: "free_text", choices: [] });
    await rig.chat.text("Ara", { ref: card(rig).ref });
    expect(repliesTo(rig, event)).toMatchObject([{ value: "Ara" }]);
  });
});

it("is decided when the prompt comes: a rule that is loaded later does not take it away", async () => {
  let policy = NO_RULES;
  const rig = await careful({ policy: () => policy });
  const event = await raiseCommand(rig, "rm -rf build");
  policy = { ...NO_POLICY, decide: askAlways };
  await rig.chat.tap(card(rig), "1");
  expect(rig.readState(event)).toBe("pending");
});
