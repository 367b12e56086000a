/** A scenario belongs to the situation in its id, and the situations are divided into two sets, by name. */
import { describe, expect, it } from "vitest";
import { readScene, chooseSet, readSituation } from "../../../prompt-lab/scenario/situation.js";

describe("the situation of a scenario", () => {
  it("is its id up to the size or the version", () => {
    const takes = [
      "claude_bash_moved_80x24_2.1.329",
      "claude_bash_moved_120x40_2.0.76_signals",
      "claude_bash_moved_2.1.329_80x24",
      "claude-bash-moved-v3.0.0-rc.1",
      "claude_bash_moved",
    ];
    expect(new Set(takes.map((id) => readSituation("claude", id)))).toEqual(new Set(["claude/bash-moved"]));
  });

  it("belongs to its tool", () => {
    expect(readSituation("codex", "codex_exec_80x24_0.50.0")).toBe("codex/exec");
    expect(readSituation("generic", "cp-interactive-45x20")).toBe("generic/cp-interactive");
  });

  it("is the whole id where nothing says how it was recorded", () => {
    expect(readSituation("generic", "80x24")).toBe("generic/80x24");
    expect(readSituation("generic", "asks_in_2_rows")).toBe("generic/asks-in-2-rows");
  });
});

describe("the sets", () => {
  it("keep the outcome of a scene with the scene", () => {
    expect(readScene("claude/bash-moved-answered")).toBe("claude/bash");
    expect(readScene("claude/bash-npm")).toBe("claude/bash-npm");
    expect(readScene("generic/answered")).toBe("generic/answered");
    expect(chooseSet("claude/edit-resized-answered")).toBe(chooseSet("claude/edit"));
  });

  // Frozen: another result for one of these names means that what was measured so far counts no more.
  it.each([
    ["claude/bash", "measure"],
    ["claude/bash-esc", "measure"],
    ["claude/edit", "develop"],
    ["claude/plan", "measure"],
    ["claude/write", "develop"],
    ["codex/exec", "develop"],
    ["generic/bash-select", "measure"],
    ["generic/cp-interactive", "develop"],
    ["generic/no-prompt-man", "measure"],
    ["generic/ssh-keygen-path", "develop"],
  ] as const)("put %s into %s", (situation, set) => {
    expect(chooseSet(situation)).toBe(set);
  });

  it("measure with about a fifth of all scenes", () => {
    const names = Array.from({ length: 2000 }, (_, index) => `tool/scene-${index}`);
    const measured = names.filter((name) => chooseSet(name) === "measure").length;
    expect(measured / names.length).toBeCloseTo(0.2, 1);
  });
});
