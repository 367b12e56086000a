/** A terminal that a tool leaves in changed modes gets back exactly those modes, whether the emulator or a scan has read its output. */
import { describe, expect, it } from "vitest";
import { findModesToUndo } from "../../../../src/worker/screen/mode-scan.js";
import { Screen } from "../../../../src/worker/screen/screen.js";

async function undoAfter(...chunks: readonly string[]): Promise<string> {
  const screen = new Screen({ cols: 80, rows: 24 });
  const output = chunks.map((chunk) => Buffer.from(chunk, "latin1"));
  for (const chunk of output) screen.write(chunk);
  await screen.flushed();
  expect(findModesToUndo(output)).toBe(screen.undoModes());
  return screen.undoModes();
}

describe("the modes of a terminal that a tool leaves behind", () => {
  it("needs nothing when every mode was switched back", async () => {
    expect(await undoAfter("\x1b[1mhello\x1b[?25l\x1b[?2004h", "\x1b[?25h\x1b[?2004l")).toBe("");
  });

  it("gets back the modes that are still switched, and only these, however they were said", async () => {
    const output = ["\x1b[?1049h\x1b[?1000;10", "06h\x1b[?2004h\x1b[?25l text \x1b[?2004l"];
    expect(await undoAfter(...output)).toBe("\x1b[?1000l\x1b[?1006l\x1b[?1049l\x1b[?25h\x1b[m");
  });

  it("gets its keyboard back, on the screen on which it was changed", async () => {
    expect(await undoAfter("\x1b[?1049h\x1b[>1u\x1b[>5u")).toBe("\x1b[<2u\x1b[?1049l\x1b[m");
    expect(await undoAfter("\x1b[>1u\x1b[>1u\x1b[<u")).toBe("\x1b[<1u\x1b[m");
    expect(await undoAfter("\x1b[>1u\x1b[<u\x1b[=1;1u\x1b[=0;1u")).toBe("");
    expect(await undoAfter("\x1b[>4;2m\x1b=")).toBe("\x1b[>4m\x1b>\x1b[m");
    expect(await undoAfter("\x1b[>4;2m\x1b=\x1b[>4;0m\x1b>")).toBe("");
  });

  it("needs nothing after a reset", async () => {
    expect(await undoAfter("\x1b[?1003h\x1b[?25l\x1b[>1u\x1bc")).toBe("");
  });
});
