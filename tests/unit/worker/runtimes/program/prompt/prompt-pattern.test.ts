/** Prompts are found as their files write them: as an expression, or as the text itself. Modes are told by them, with their depth. */
import { describe, expect, it } from "vitest";
import { ModeDetector } from "../../../../../../src/worker/runtimes/program/prompt/mode-detector.js";
import {
  matchPrompt,
  PLACES_MAX,
} from "../../../../../../src/worker/runtimes/program/prompt/prompt-pattern.js";
import { readProgram } from "../../../../../../src/worker/adapter-format/program/read-program.js";
import { readFileSync } from "node:fs";

describe("a prompt", () => {
  it("is found where its expression says", () => {
    expect(matchPrompt("^>>> $", ">>> ")?.from).toBe(0);
    expect(matchPrompt("^>>> $", ">>> x")).toBeNull();
    expect(matchPrompt("^>>> $", "abc>>> ")).toBeNull();
  });

  it("is found behind output only where that is asked for", () => {
    expect(matchPrompt("^>>> $", "abc>>> ", true)?.from).toBe(3);
    expect(matchPrompt("^>>> $", "abc>>> x", true)).toBeNull();
  });

  it("is looked for behind output at the last places only", () => {
    const prompt = `${"p".repeat(PLACES_MAX - 1)}>`;
    expect(matchPrompt("^p{1,400}>$", `${"-".repeat(1000)}${prompt}`, true)?.from).toBe(1000);
    // Its first character is too far from the end.
    expect(matchPrompt("^-p{1,400}>$", `${"-".repeat(1000)}${prompt}`, true)).toBeNull();
  });

  it("that is written as its text is found at the end, with numbers in the place of (?)", () => {
    expect(matchPrompt("iex(?)> ", "iex(12)> ")?.groups).toEqual(["12"]);
    expect(matchPrompt("\x01RIPPLE\x01>>> ", "\x01RIPPLE\x01>>> ")?.from).toBe(0);
    expect(matchPrompt("a.b> ", "axb> ")).toBeNull();
  });
});

describe("the mode", () => {
  const { program } = readProgram(readFileSync("tests/fixtures/programs/seed.yaml", "utf8"), "seed.yaml");

  it("is the default one at the start", () => {
    expect(new ModeDetector(program).current).toEqual({ name: "main", level: null });
    expect(new ModeDetector({ modes: [] }).current).toBeNull();
  });

  it("is told by its prompt, entered and left", () => {
    const modes = new ModeDetector(program);
    expect(modes.update("pry(1)> ", ["Break reached: x"])?.name).toBe("pry");
    expect(modes.update("\x01RIPPLE\x01iex(3)> ", [])?.name).toBe("main");
  });

  it("does not count as entered because of words in the output alone", () => {
    expect(new ModeDetector(program).update("\x01RIPPLE\x01iex(3)> ", ["Break reached: x"])?.name).toBe(
      "main",
    );
  });

  it("has its depth from the prompt", () => {
    const mode = program.modes[1]!;
    const nested = [{ ...mode, nested: true, level_capture: 1, primary: "^(\\d{1,3})\\] $" }];
    expect(new ModeDetector({ modes: nested }).update("2] ", [])).toEqual({ name: "pry", level: 2 });
  });
});
