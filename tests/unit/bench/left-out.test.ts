/** With what is left out goes every rule that no other recording shows, and no other rule. */
import { describe, expect, it } from "vitest";
import { isOneOfSeveral, rulesLeftOut, type Recording } from "../../../bench/detection/left-out/groups.js";
import type { Scenario } from "../../../prompt-lab/scenario.js";

function recording(situation: string, size: string, version: string, ...rules: string[]): Recording {
  const [cols, rows] = size.split("x").map(Number);
  const scenarioId = ["tool", situation, size, version].filter((word) => word !== "").join("_");
  return { scenario: { tool: "tool", scenarioId, situation, cols, rows } as Scenario, rules: new Set(rules) };
}

const ALL = [
  recording("trust", "80x24", "1.0.0", "trust"),
  recording("trust", "45x20", "2.0.0", "trust", "narrow"),
  recording("bash", "80x24", "1.0.0", "permission"),
  recording("bash", "120x40", "2.0.0", "permission"),
  recording("edit", "80x24", "1.0.0", "permission", "edit"),
];

const left = (index: number, kind: Parameters<typeof rulesLeftOut>[2]): string[] =>
  [...rulesLeftOut(ALL[index]!, ALL, kind)].sort();

describe("rules that are left out", () => {
  it("are those that only the situation, the size or the version shows", () => {
    expect(left(0, "situation")).toEqual(["narrow", "trust"]);
    expect(left(2, "situation")).toEqual([]);
    expect(left(4, "situation")).toEqual(["edit"]);
    expect(left(1, "size")).toEqual(["narrow"]);
    expect(left(0, "version")).toEqual(["edit"]);
  });

  it("are all that the recording itself shows, where that is asked for", () => {
    expect(left(4, "its rules")).toEqual(["edit", "permission"]);
  });

  it("are none by a version where there is only one", () => {
    expect(isOneOfSeveral(ALL[0]!, ALL, "version")).toBe(true);
    expect(isOneOfSeveral(ALL[0]!, ALL.slice(0, 1), "version")).toBe(false);
    const unversioned = recording("ask", "80x24", "", "line");
    expect(isOneOfSeveral(unversioned, [...ALL, unversioned], "version")).toBe(false);
  });
});
