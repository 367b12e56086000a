/** What cards say of rules: what a yes takes never cuts off what a rule says. And no two buttons of a card read the same. */
import { describe, expect, it } from "vitest";
import {
  describeRisk,
  formatButtonLabels,
  formatCutWarning,
  formatPolicyNote,
  SCREEN_LABEL,
} from "../../../src/sdk/card-words.js";
import type { NoticeButton } from "../../../src/sdk/channel.js";
import { CHOICES, promptNotice } from "../../../src/compat/testing/notices.js";

it("is cut by the line, so that a long first one leaves the second", () => {
  const [care, rule] = ["a yes needs the number, ".repeat(20), "Rule r does not act: it asks for a secret"];
  const shown = formatPolicyNote({ policyNote: `${care}\n${rule}` });
  expect(shown).toMatch(/^📜 a yes needs the number, .*… Rule r does not act: it asks for a secret$/);
});

it("is one line of bounded length, whatever stands in it", () => {
  expect(formatPolicyNote({ policyNote: "Rule r:\ngo\non" })).toBe("📜 Rule r: go on");
  const many = Array.from({ length: 50 }, () => "words ".repeat(50)).join("\n");
  expect(formatPolicyNote({ policyNote: many })?.length).toBeLessThan(420);
  expect(formatPolicyNote({})).toBeNull();
});

describe("the buttons of a card", () => {
  const button = (value: string, label: string): NoticeButton =>
    ({ token: value, value, choice: { label, intent: "other" } }) as unknown as NoticeButton;
  const long = "Yes, allow reading from src/components/forms/";

  it("never read the same, however they are shortened", () => {
    const shown = formatButtonLabels({}, [button("y", `${long}a`), button("n", `${long}b`)], { max: 40 });
    expect(shown).toEqual([
      "1. Yes, allow reading from src/componen…",
      "2. Yes, allow reading from src/componen…",
    ]);
    const same = [button("y", "OK"), button("n", "OK"), button("stop", "Stop")];
    expect(formatButtonLabels({}, same, { max: 40 })).toEqual(["1. OK", "2. OK", "Stop"]);
  });

  it("say nothing that reads as one of our own", () => {
    const shown = formatButtonLabels({}, [button("y", SCREEN_LABEL), button("n", "No")], {
      max: 40,
      used: [SCREEN_LABEL],
    });
    expect(shown).toEqual([`1. ${SCREEN_LABEL}`, "No"]);
  });
});

it("rows above a question are told, and a missing part of it is warned of; both mark the button that allows", () => {
  const risk = (cut: object) =>
    describeRisk(promptNotice("1", { content: { text: "Remove it? [y/N]", cut } }), CHOICES[0]!);
  expect(formatCutWarning({ above: true })).toBe(
    "⬆️ The terminal shows more above this. Check there if the question is about it.",
  );
  expect(risk({ above: true })).toBe(
    "The terminal shows more above this. Check there if the question is about it.",
  );
  expect(formatCutWarning({ missing: "3 lines" })).toBe(
    "⚠️ The content is truncated (missing: 3 lines). Check the terminal before you allow anything.",
  );
  expect(risk({ missing: "3 lines" })).toBe("What you allow is not shown completely.");
});
