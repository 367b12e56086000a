/** A line that a person has begun is seen behind the prompt, however it is drawn; a prompt at the right margin is none. */
import { describe, expect, it } from "vitest";
import { CursorLine } from "../../../../../../src/worker/runtimes/program/prompt/cursor-line.js";
import { PromptInput } from "../../../../../../src/worker/runtimes/program/prompt/prompt-input.js";

const COLUMNS = 80;

/** `drawn`: behind the mark of the end of `prompt`. */
function isEmpty(drawn: string, prompt = "$ "): boolean {
  const line = new CursorLine();
  const input = new PromptInput(line, () => COLUMNS);
  line.push(Buffer.from(prompt));
  line.startHere();
  input.begin(0);
  line.push(Buffer.from(drawn));
  return input.isEmpty;
}

/** As zsh and as fish draw it, with the cursor in column `to` behind it. */
const ZSH = "\x1b[K\x1b[71C12:00\x1b[76D";
const FISH = (to: number): string => `\r\x1b[72C12:00:00\r\x1b[${to}C`;

describe("nothing stands behind a prompt", () => {
  it.each([
    ["with nothing else", ""],
    ["with blanks", "  "],
    ["with a prompt at the right margin, in zsh", ZSH],
    ["the same in fish", FISH(2)],
    ["with one that has changed", ZSH + "\x1b[K\x1b[71C12:01\x1b[76D"],
    ["with one in the row above", "\x1b[K\x1b[70C\x1b[1A12:00\x1b[1B\x1b[75D"],
    ["behind which a line was erased in zsh", `${ZSH}l\bls\b\bl \b\b \b`],
    ["the same in fish", `${FISH(2)}ls${FISH(4)}\b\x1b[K${FISH(3)}\b\x1b[K${FISH(2)}`],
  ])("%s", (_what, drawn) => {
    expect(isEmpty(drawn)).toBe(true);
  });

  it.each(["🚀 ", "日本 ❯ ", "⚠️ ", "é$ "])("with signs of any width in it: %s", (prompt) => {
    const line = new CursorLine();
    line.push(Buffer.from(prompt));
    line.startHere();
    line.push(Buffer.from(FISH(line.column)));
    expect(isEmpty(FISH(line.column), prompt)).toBe(true);
    expect(isEmpty(`${FISH(line.column)}l`, prompt)).toBe(false);
  });
});

describe("a line stands behind a prompt", () => {
  it.each([
    ["alone", "ls"],
    ["in front of one at the right margin, in zsh", `${ZSH}l\bls`],
    ["the same in fish", `${FISH(2)}ls${FISH(4)}`],
    ["with the cursor at its begin", `${ZSH}ls\x1b[2D`],
    ["behind blanks, with the cursor at its begin", `${ZSH}  ls\x1b[4D`],
    ["and behind a tab", "\tls\x1b[10D"],
    ["where the prompt was drawn with another one in the row above", "\x1b[1A12:00\x1b[1B\x1b[5Dls"],
    ["that is longer than a row, with the cursor in its first", `${"x".repeat(100)}\x1b[1A\r\x1b[2C`],
    ["that was hidden by a menu", "ls\x1b[Ha menu"],
  ])("%s", (_what, drawn) => {
    expect(isEmpty(drawn)).toBe(false);
  });

  it("also where the cursor went over the columns in front of it, away from the margin", () => {
    expect(isEmpty("\x1b[10Cls\x1b[12D")).toBe(false);
  });
});
