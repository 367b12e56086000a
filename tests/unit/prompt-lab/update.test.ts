/** New labels for a scenario change only what differs, and the change is shown. */
import { describe, expect, it } from "vitest";
import type { Actual } from "../../../prompt-lab/replay/compare.js";
import { changeLines, computeChanges, relabelScenario } from "../../../prompt-lab/replay/update.js";
import { parseDraft, parseScenario } from "../../../prompt-lab/scenario/scenario.js";

const ASKED: Actual = {
  type: "multiple_choice",
  confidence: "high",
  safetyClass: "permission",
  excerpt: "Do you want to proceed?",
  content: "rm -rf build\n\n  Remove the build folder",
  choices: ["Yes", "No"],
  details: [],
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
  state: null,
  count: 0,
};
const BARE = { tool: "tiny", scenario_id: "x", pty_output: "", replies: [] };
const LABELLED = {
  ...BARE,
  expected_type: "TYPE_MULTIPLE_CHOICE",
  expected_excerpt_contains: "want to",
  expected_choices: ["Yes", "No"],
  expected_count: 1,
};

/** The file after an update. */
function updated(file: Record<string, unknown>, actual: Actual): Record<string, unknown> {
  const draft = parseDraft(JSON.stringify(file), "x.json", () => "");
  return JSON.parse(relabelScenario(file, computeChanges(file, draft, actual))) as Record<string, unknown>;
}

describe("updating the labels of a scenario", () => {
  it("gives a draft every label, behind what was recorded and before the replies", () => {
    const after = updated(BARE, ASKED);
    expect(Object.entries(after)).toEqual([
      ["tool", "tiny"],
      ["scenario_id", "x"],
      ["pty_output", ""],
      ["expected_type", "multiple_choice"],
      ["expected_safety_class", "permission"],
      ["expected_confidence_band", "HIGH"],
      ["expected_excerpt_contains", "Do you want to proceed?"],
      ["expected_choices", ["Yes", "No"]],
      ["expected_default", 1],
      ["expected_content_contains", ["rm -rf build", "Remove the build folder"]],
      ["expected_state", "waiting"],
      ["expected_count", 1],
      ["replies", []],
    ]);
    expect(() => parseScenario(JSON.stringify(after), "x.json", () => "")).not.toThrow();
  });

  it("says of a quiet draft that nothing is asked, and nothing of a prompt", () => {
    expect(updated(BARE, QUIET)).toEqual({ ...BARE, expected_type: null, expected_count: 0 });
  });

  it("leaves a label that holds as its author wrote it, and adds none", () => {
    const draft = parseDraft(JSON.stringify(LABELLED), "x.json", () => "");
    expect(computeChanges(LABELLED, draft, ASKED)).toEqual([]);
  });

  it("changes only what differs", () => {
    const after = updated(LABELLED, { ...ASKED, choices: ["Yes", "Always", "No"], count: 2 });
    expect(after).toEqual({ ...LABELLED, expected_choices: ["Yes", "Always", "No"], expected_count: 2 });
  });

  it("takes the labels of a prompt away where none is any more, and gives them where one is now", () => {
    const quiet = updated(LABELLED, QUIET);
    expect(quiet).toEqual({ ...BARE, expected_type: null, expected_count: 0 });
    expect(updated(quiet, ASKED)).toMatchObject({
      expected_type: "multiple_choice",
      expected_choices: ["Yes", "No"],
      expected_default: 1,
    });
  });

  it("shows removed and added labels", () => {
    const draft = parseDraft(JSON.stringify(LABELLED), "x.json", () => "");
    expect(computeChanges(LABELLED, draft, { ...ASKED, count: 2 }).flatMap(changeLines)).toEqual([
      "- expected_count: 1",
      "+ expected_count: 2",
    ]);
    expect(changeLines({ field: "expected_type", from: undefined, to: null })).toEqual([
      "+ expected_type: null",
    ]);
  });
});
