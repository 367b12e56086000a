/** The line at which output ends is what a person sees there, however it was drawn and cut. */
import { describe, expect, it } from "vitest";
import { CursorLine } from "../../../../../../src/worker/runtimes/program/prompt/cursor-line.js";

function readLine(text: string, isCut = false): string {
  const line = new CursorLine();
  for (const piece of isCut ? [...text] : [text]) line.push(Buffer.from(piece));
  return line.text;
}

describe("the last line", () => {
  it.each([
    ["a plain prompt", "output\r\n>>> ", ">>> "],
    ["a prompt with colours", "x\r\n\x1b[1;32m>>>\x1b[0m ", ">>> "],
    ["one that a line editor has drawn anew", "\x1b[1G\x1b[0J> \x1b[3G", "> "],
    ["one over a longer text", "loading…\r\x1b[K> ", "> "],
    ["one behind erased characters", "abc\b\b\b\x1b[K$ ", "$ "],
    ["one behind a cleared screen", "text\x1b[H\x1b[2J$ ", "$ "],
    ["one behind a title", "\x1b]0;a title\x07$ ", "$ "],
    ["one with marks that no terminal shows", "\x01RIPPLE\x01>>> ", "\x01RIPPLE\x01>>> "],
    ["one with a gap", "a\x1b[3Cb", "a   b"],
    ["nothing behind a line feed", "$ \r\n", ""],
    ["wide and combined characters", "日本 ❯ ", "日本 ❯ "],
  ])("%s", (_what, text, line) => {
    expect(readLine(text)).toBe(line);
    expect(readLine(text, true)).toBe(line);
  });

  it("is bounded, whatever comes", () => {
    expect(readLine("x".repeat(100_000)).length).toBeLessThanOrEqual(4096);
    expect(readLine(`\x1b[${"9".repeat(1000)}C`).length).toBeLessThanOrEqual(4096);
    expect(readLine(`\x1b]0;${"t".repeat(100_000)}`).length).toBeLessThanOrEqual(4096);
  });
});
