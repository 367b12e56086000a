/** `lab run` reports as text with the picture of each failure, as JSON in a fixed shape, and as JUnit XML. */
import { describe, expect, it } from "vitest";
import {
  type ScenarioResult,
  jsonReporter,
  junitReporter,
  prettyReporter,
} from "../../../prompt-lab/replay/reporters.js";

const PASSED: ScenarioResult = {
  scenarioId: "asks",
  tool: "generic",
  file: "s/asks.json",
  description: "asks once",
  failures: [],
  actual: {
    type: "yes_no",
    confidence: "high",
    safetyClass: "question",
    excerpt: "Go on?",
    content: "",
    choices: ["Yes", "No"],
    details: [],
    defaultChoice: 2,
    state: "waiting",
    count: 1,
  },
  frame: ["Go on? [y/N]", "", ""],
  elapsedMs: 12,
};
const FAILED: ScenarioResult = {
  ...PASSED,
  scenarioId: "fails",
  tool: "claude",
  failures: ['expected_type: expected <none> & "x"', "expected_count: expected 0, found 1"],
  frame: ["", "❯ 1. Yes\u0007", "\ud800", ""],
};

describe("the pretty report", () => {
  it("is a line for what passed, and the picture and all differences for what failed", () => {
    expect(prettyReporter([PASSED, FAILED])).toBe(
      [
        "✓ generic  asks",
        "✗ claude  fails  (s/asks.json)",
        "    asks once",
        '    - expected_type: expected <none> & "x"',
        "    - expected_count: expected 0, found 1",
        "    ┌─ last picture",
        "    │",
        "    │❯ 1. Yes\u0007",
        "    │\ud800",
        "    └─",
        "",
        "1 passed, 1 failed of 2",
        "",
      ].join("\n"),
    );
  });

  it("says so when all passed", () => {
    expect(prettyReporter([PASSED])).toContain("all 1 passed");
  });
});

describe("the JSON report", () => {
  it("has the fixed shape that programs read", () => {
    expect(JSON.parse(jsonReporter([PASSED, FAILED]))).toMatchObject({
      summary: { total: 2, passed: 1, failed: 1 },
      scenarios: [
        {
          scenario_id: "asks",
          passed: true,
          failures: [],
          actual: {
            type: "yes_no",
            confidence: "high",
            safety_class: "question",
            excerpt: "Go on?",
            content: "",
            choices: ["Yes", "No"],
            default: 2,
            state: "waiting",
            count: 1,
          },
        },
        { scenario_id: "fails", passed: false, failures: FAILED.failures },
      ],
    });
  });
});

describe("the JUnit report", () => {
  const xml = junitReporter([PASSED, FAILED]);

  it("counts tests and failures for the whole and for every tool", () => {
    expect(xml).toContain('<testsuites name="prompt-lab" tests="2" failures="1" errors="0" time="0.024">');
    expect(xml).toContain('<testsuite name="claude" tests="1" failures="1"');
    expect(xml).toContain('<testcase classname="generic" name="asks" file="s/asks.json" time="0.012"/>');
  });

  it("escapes what XML would read, and what XML cannot hold at all", () => {
    expect(xml).toContain('<failure message="expected_type: expected &lt;none&gt; &amp; &quot;x&quot;">');
    expect(xml).toContain("❯ 1. Yes\ufffd");
    expect(xml).not.toMatch(/\p{Cs}/u);
  });
});
