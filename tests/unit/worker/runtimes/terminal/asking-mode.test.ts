/** The options of a tool choose its asking mode at the start on request, and a note says when they make it ask nothing. */
import { describe, expect, it } from "vitest";
import { buildStartingArguments } from "../../../../../src/worker/runtimes/terminal/asking-mode.js";

const asking = {
  args: ["--permission-mode", "manual"],
  option: "--permission-mode",
  asks: ["manual", "default", "plan"],
  neverAsks: ["auto", "bypassPermissions"],
  neverAsksFlags: ["--dangerously-skip-permissions"],
  note: "asks nothing",
};

describe("the asking mode of a tool", () => {
  it.each<[name: string, args: string[], ask: boolean, start: string[], note: string | null]>([
    ["says so when no mode is chosen", ["-c"], false, ["-c"], "asks nothing"],
    [
      "is quiet when an asking mode is chosen",
      ["--permission-mode", "manual"],
      false,
      ["--permission-mode", "manual"],
      null,
    ],
    ["reads the = form", ["--permission-mode=plan"], false, ["--permission-mode=plan"], null],
    ["starts in the asking mode on wish", ["-c"], true, ["--permission-mode", "manual", "-c"], null],
    [
      "leaves a chosen mode alone, and says what it means",
      ["--permission-mode=auto"],
      true,
      ["--permission-mode=auto"],
      "asks nothing",
    ],
    [
      "sees a flag that skips everything",
      ["--dangerously-skip-permissions"],
      true,
      ["--dangerously-skip-permissions"],
      "asks nothing",
    ],
    [
      "takes the last of two",
      ["--permission-mode", "auto", "--permission-mode", "plan"],
      false,
      ["--permission-mode", "auto", "--permission-mode", "plan"],
      null,
    ],
    [
      "does not read options behind --",
      ["--", "--permission-mode", "plan"],
      false,
      ["--", "--permission-mode", "plan"],
      "asks nothing",
    ],
  ])("%s", (_, args, ask, start, note) => {
    expect(buildStartingArguments(asking, args, ask)).toMatchObject({ args: start, note });
  });

  it("says nothing about a tool that always asks", () => {
    expect(buildStartingArguments(null, ["x"], true)).toEqual({
      args: ["x"],
      note: null,
      asksLittle: false,
    });
  });

  it("is named as one that asks little only if nobody chose it", () => {
    const asksLittle = (...args: string[]) => buildStartingArguments(asking, args, false).asksLittle;
    expect([asksLittle("-c"), asksLittle("--permission-mode", "plan")]).toEqual([true, false]);
    expect(asksLittle("--dangerously-skip-permissions")).toBe(false);
    expect(buildStartingArguments(asking, ["-c"], true).asksLittle).toBe(false);
  });
});
