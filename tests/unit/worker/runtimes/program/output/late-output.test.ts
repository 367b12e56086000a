/** What comes behind a command's prompt is output in so far as no line editor has drawn it. */
import { expect, it } from "vitest";
import { LateOutput } from "../../../../../../src/worker/runtimes/program/output/late-output.js";

function read(...pieces: readonly string[]): { readonly text: string; readonly mayHoldDrawing: boolean } {
  const late = new LateOutput();
  const lines = pieces.map((piece) => Buffer.from(late.push(Buffer.from(piece))).toString());
  const text = lines.join("") + Buffer.from(late.end()).toString();
  return { text, mayHoldDrawing: late.mayHoldDrawing };
}

const CLOCK = "\x1b[K\r\x1b[72C12:00:00\r\x1b[11C";

it("a prompt at the right margin is none of it, in however many pieces it comes", () => {
  expect(read(CLOCK)).toEqual({ text: "", mayHoldDrawing: false });
  expect(read(...CLOCK)).toEqual({ text: "", mayHoldDrawing: false });
});

it("a job's last lines are output, also one without an end", () => {
  expect(read("late\r\n", "and mo", "re")).toEqual({ text: "late\r\nand more", mayHoldDrawing: false });
  expect(read(`late\r\n${CLOCK}`).text).toBe("late\r\n");
});

it("a line that is printed over such a prompt is not said to be exact", () => {
  expect(read(CLOCK, "late\r\n").mayHoldDrawing).toBe(true);
});

it("a flood without a line feed is output", () => {
  expect(read("\x1b[31m", "x".repeat(5000)).text).toContain("x".repeat(5000));
});
