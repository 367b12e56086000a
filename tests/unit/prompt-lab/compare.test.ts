/** The result of a replay is compared with the labels of its scenario, and each difference is one line. */
import { describe, expect, it } from "vitest";
import { compare, compareReply, type Actual } from "../../../prompt-lab/replay/compare.js";

const ASKED: Actual = {
  type: "multiple_choice",
  confidence: "high",
  safetyClass: "permission",
  excerpt: "Do you want to proceed?",
  content: "rm -rf build\nRemove the build folder",
  choices: ["Yes", "Yes, and don't ask again for npm commands", "No"],
  details: ["Runs once"],
  defaultChoice: 1,
  state: "waiting",
  count: 1,
};
const QUIET: Actual = {
  type: null,
  confidence: null,
  safetyClass: null,
  excerpt: null,
  content: null,
  choices: [],
  details: [],
  defaultChoice: null,
  state: "idle",
  count: 0,
};

describe("the comparison of a replay with its expectations", () => {
  it("says nothing when everything is as expected", () => {
    const expected = {
      type: ASKED.type,
      confidence: "high",
      excerptContains: "want to proceed",
      choices: ASKED.choices,
      defaultChoice: 1,
      contentContains: ["rm -rf build", "Runs once"],
      state: "waiting",
      count: 1,
    } as const;
    expect(compare(expected, ASKED)).toEqual([]);
    expect(compare({ type: null, state: "idle", count: 0 }, QUIET)).toEqual([]);
  });

  it("asserts nothing about what a scenario leaves out", () => {
    expect(compare({ type: "multiple_choice" }, ASKED)).toEqual([]);
  });

  it("says what fired although nothing may be pending", () => {
    expect(compare({ type: null, choices: [] }, ASKED)).toEqual([
      'expected_type: nothing may be pending, found multiple_choice "Do you want to proceed?"',
    ]);
  });

  it("says that nothing is pending once, not once for every field", () => {
    const expected = { type: "yes_no", confidence: "high", excerptContains: "x", defaultChoice: 1 } as const;
    expect(compare(expected, QUIET)).toEqual(["expected_type: expected yes_no, found nothing pending"]);
  });

  it.each([
    [{ confidence: "low" }, "expected_confidence_band: expected low, found high"],
    [
      { excerptContains: "delete" },
      'expected_excerpt_contains: "delete" is not in "Do you want to proceed?"',
    ],
    [{ choices: ["Yes", "No"] }, 'expected_choices: expected 2 ("Yes", "No"), found 3'],
    [{ choices: ["Yes", "Never", "No"] }, 'expected_choices[1]: expected "Never", found "Yes, and don\'t'],
    [{ safetyClass: "trust" }, "expected_safety_class: expected trust, found permission"],
    [{ defaultChoice: 3 }, "expected_default: expected 3, found 1"],
    [{ defaultChoice: null }, "expected_default: expected none, found 1"],
    [{ contentContains: ["rm -rf /"] }, 'expected_content_contains: "rm -rf /" is not in "rm -rf build'],
    [{ state: "idle" }, "expected_state: expected idle, found waiting"],
    [{ count: 2 }, "expected_count: expected 2, found 1"],
  ] as const)("says in one line what differs: %j", (expected, line) => {
    const differences = compare({ type: "multiple_choice", ...expected }, ASKED);
    expect(differences).toHaveLength(1);
    expect(differences[0]).toContain(line);
  });
});

describe("the keys of a reply", () => {
  const planned = { kind: "keys", keys: ["\u001b[B", "\r"] } as const;
  const refused = { kind: "refused", reason: "That is not one of the choices" } as const;

  it("are compared write by write", () => {
    expect(compareReply({ value: "2", expectedKeys: ["\u001b[B", "\r"] }, planned, 0)).toEqual([]);
    expect(compareReply({ value: "2", expectedKeys: ["\u001b[B\r"] }, planned, 0)).toEqual([
      'replies[0].expected_keys: expected "\\u001b[B\\r", found "\\u001b[B", "\\r"',
    ]);
  });

  it("may be expected to be none at all", () => {
    expect(compareReply({ value: "9", expectedKeys: [] }, refused, 1)).toEqual([]);
    expect(compareReply({ value: "9", expectedKeys: [] }, planned, 1)[0]).toContain(
      "expected nothing, found",
    );
    expect(compareReply({ value: "2", expectedKeys: ["2"] }, refused, 1)[0]).toContain(
      "found nothing typed: That is not one of the choices",
    );
  });
});
