/** What is printed at a prompt is shown apart, and what a line editor draws there is not taken for it. */
import { expect, it } from "vitest";
import { IdleOutput } from "../../../../../../src/worker/runtimes/program/output/idle-output.js";
import { readShipped } from "../../../../../support/program/open.js";

const SHELLS = ["bash", "zsh", "fish", "dash", "python", "ruby", "lua", "perl", "gdb", "psql"];

function take(name: string, ...pieces: readonly string[]): string {
  const idleOutput = new IdleOutput(readShipped(name).program);
  for (const piece of pieces) idleOutput.push(Buffer.from(piece));
  return idleOutput.take({ cols: 80, rows: 24 }, "");
}

it.each(SHELLS)("shows what is printed at the prompt of %s", (name) => {
  expect(take(name, "LATE\r\n", "and more")).toBe("LATE\nand more");
});

it("leaves out a prompt at the right margin", () => {
  expect(take("zsh", "\x1b[K\x1b[60C12:00\x1b[65D\x1b[?2004h")).toBe("");
  expect(take("zsh", "\x1b[60C12:00\x1b[65D", "LATE\r\n", "\x1b[60C12:01\x1b[65D")).toContain("LATE");
});

it("says that it has left out the rest of a flood", () => {
  const flood = Array.from({ length: 300 }, () => `${"x".repeat(1022)}\r\n`);
  expect(take("bash", ...flood)).toMatch(/x\n\[… more was printed, and is left out …\]$/u);
  expect(take("bash", ...flood.slice(0, 10))).not.toContain("left out");
});
