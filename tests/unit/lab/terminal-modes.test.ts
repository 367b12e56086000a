import { describe, expect, it } from "vitest";
import { undoModes } from "../../../src/app/lab-terminal-modes.js";

describe("a terminal that a recorded tool leaves behind", () => {
  it("only gets its plain style back when no mode was switched", () => {
    expect(undoModes("\u001b[1mhello\u001b[?25l\u001b[?25h")).toBe("\u001b[m");
  });

  it("gets back the modes that are still switched, and only these", () => {
    const output = "\u001b[?1049h\u001b[?1000;1006h\u001b[?2004h\u001b[?25l text \u001b[?2004l";
    expect(undoModes(output)).toBe("\u001b[?1000l\u001b[?1006l\u001b[?1049l\u001b[?25h\u001b[m");
  });

  it("gets its keyboard back when a tool pushed a protocol and did not pop it", () => {
    expect(undoModes("\u001b[>1u")).toBe("\u001b[<u\u001b[m");
    expect(undoModes("\u001b[>1u\u001b[<u")).toBe("\u001b[m");
  });
});
