/** A transcript is the text that a terminal would have shown, with every line of it, whole and in order. */
import { describe, expect, it } from "vitest";
import { OutputText } from "../../../../src/worker/screen/output-text.js";

function readText(output: string, cols = 20, isCut = false, bare = false): string {
  let text = "";
  const transcript = new OutputText({ cols, rows: 50 }, (piece) => (text += piece), bare);
  for (const piece of isCut ? [...Buffer.from(output)].map((byte) => Buffer.of(byte)) : [Buffer.from(output)])
    transcript.write(piece);
  transcript.end();
  return text;
}

describe("a transcript", () => {
  it.each([
    ["lines", "a\r\nb\r\n", "a\nb\n"],
    ["no line feed at the end", "x", "x"],
    ["nothing", "", ""],
    ["empty lines", "x\r\n\r\n\r\n", "x\n\n\n"],
    ["a progress bar", "10%\r20%\r100%\r\ndone\r\n", "100%\ndone\n"],
    ["a bar that is erased", "working…\r\x1b[Kdone\r\n", "done\n"],
    ["lines that are drawn again", "one\r\ntwo\r\n\x1b[2AONE\r\n\x1b[Btail\r\n", "ONE\ntwo\ntail\n"],
    ["a line longer than the terminal", `${"abcde".repeat(9)}\r\nnext`, `${"abcde".repeat(9)}\nnext`],
    ["wide characters at the margin", `${"你".repeat(25)}\r\n`, `${"你".repeat(25)}\n`],
    ["blanks at the end of a line", "a  \r\n", "a  \n"],
    ["colours", "\x1b[31mred\x1b[0m\r\n", "red\n"],
    ["another screen, and back", "before\r\n\x1b[?1049hpage\x1b[?1049lafter\r\n", "before\nafter\n"],
  ])("of %s", (_what, output, text) => {
    expect(readText(output)).toBe(text);
    expect(readText(output, 20, true)).toBe(text);
  });

  it("of bare line feeds is the same where the program writes them", () => {
    expect(readText("a\nb\n", 20, false, true)).toBe("a\nb\n");
  });

  it("forgets no line of a long output", () => {
    const lines = Array.from({ length: 20_000 }, (_, n) => `line ${n} ${"x".repeat(n % 150)}`);
    expect(readText(`${lines.join("\r\n")}\r\n`, 80)).toBe(`${lines.join("\n")}\n`);
  });

  it("of a long output is exact where every line comes on its own", () => {
    let lines = 0;
    const transcript = new OutputText(
      { cols: 80, rows: 50 },
      (piece) => (lines += piece.split("\n").length - 1),
    );
    for (let n = 1; n <= 20_000; n++) transcript.write(Buffer.from(`${n}\r\n`));
    expect(transcript.isExact).toBe(true);
    transcript.end();
    expect(lines).toBe(20_000);
  });

  it("of one line that is longer than everything it keeps is whole", () => {
    const line = "0123456789".repeat(40_000);
    expect(readText(`${line}\r\nend`, 80)).toBe(`${line}\nend`);
  });
});

it.each([
  ["lines and a prompt", "a\r\nb\r\nthere> ", "a\nb\nthere> "],
  ["lines that have ended", "a\r\nb\r\n", "a\nb\n"],
  ["a line that is drawn again", "10%\r20%", "20%"],
  ["a wrapped line", `${"abcde".repeat(9)}> `, `${"abcde".repeat(9)}> `],
])("what was not handed out yet can be looked at: %s", (_what, output, text) => {
  let handedOut = "";
  const transcript = new OutputText({ cols: 20, rows: 50 }, (piece) => (handedOut += piece));
  transcript.write(Buffer.from(output));
  expect(transcript.pending).toBe(text);
  expect(transcript.pending).toBe(text);
  const lines = Array.from({ length: 200 }, (_, n) => `line ${n}\r\n`).join("");
  transcript.write(Buffer.from(`\r\n${lines}`));
  expect((handedOut + transcript.pending).trimEnd().endsWith("line 199")).toBe(true);
  transcript.end();
  expect(handedOut.startsWith(text.trimEnd())).toBe(true);
  expect(transcript.pending).toBe("");
});

function follow(
  rows: number,
  ...pieces: readonly (string | { readonly cols: number; readonly rows: number })[]
) {
  let text = "";
  const transcript = new OutputText({ cols: 20, rows }, (piece) => (text += piece));
  for (const piece of pieces)
    if (typeof piece === "string") transcript.write(Buffer.from(piece));
    else transcript.resize(piece);
  const { isExact } = transcript;
  transcript.end();
  return { text, isExact };
}

const numbered = (to: number): string => Array.from({ length: to }, (_, n) => `${n + 1}\r\n`).join("");

describe("output that moves the cursor up and down", () => {
  it("is what the rows of its own terminal show", () => {
    const { text, isExact } = follow(10, numbered(30), "\x1b[28AXX\x1b[28B\r\n");
    expect(text.split("\n").indexOf("XX")).toBe(21);
    expect(isExact).toBe(true);
  });

  it.each([
    ["goes up within its own lines", "a\r\nb\r\n\x1b[2AA\r\n\x1b[Bc\r\n"],
    ["clears the window first", "a\r\n\x1b[H\x1b[2J\x1b[3Jb\x1b[4;1Hc"],
    ["clears it in the other order", "\x1b[2J\x1b[Hb"],
    ["clears it from its first cell on", "\x1b[H\x1b[Jb"],
    ["addresses rows once it has filled the window", `${numbered(12)}\x1b[3;1HX`],
    ["does so on the other screen", "\x1b[?1049h\x1b[5;5Hpage\x1b[9A\x1b[?1049lafter"],
    ["comes back in the same row", "\x1b7a\x1b8b\x1b[sc\x1b[ud"],
  ])("is exact where it %s", (_what, output) => {
    expect(follow(10, output).isExact).toBe(true);
  });

  it.each([
    ["goes up into what stood there before", "a\r\n\x1b[2AX"],
    ["goes down into rows that it has not reached", "a\x1b[3BX"],
    ["addresses a row of the window", "a\x1b[5;1HX"],
    ["comes back to a row that may have moved", "\x1b7a\r\nb\x1b8c"],
    ["scrolls backwards at its first row", "\x1bMX"],
  ])("is not exact where it %s", (_what, output) => {
    expect(follow(10, output).isExact).toBe(false);
  });
});

describe("output at a terminal that is resized", () => {
  it("is exact where whole lines follow, in the new width", () => {
    const wide = { cols: 40, rows: 8 };
    const line = "x".repeat(30);
    expect(follow(10, "a\r\n", wide, `${line}\r\n10%\r${line}\r\n`)).toEqual({
      text: `a\n${line}\n${line}\n`,
      isExact: true,
    });
  });

  it.each([
    ["goes up", "a\r\nb\r\n", "\x1b[1AX\r\n"],
    ["goes on in a line of several rows", "x".repeat(30), "\rX"],
  ])("is not exact where it then %s", (_what, before, after) => {
    expect(follow(10, before, { cols: 40, rows: 10 }, after).isExact).toBe(false);
  });
});

describe("a last row of blanks with the cursor at its begin, as zsh draws it before its prompt", () => {
  const BLANKS = `%${" ".repeat(19)}\r \r`;

  it("is no output, and the lines before it are", () => {
    expect(follow(10, BLANKS).text).toBe("");
    expect(follow(10, `one\r\n${BLANKS}`).text).toBe("one\n");
  });

  it("is the rest of a line where it goes on with one", () => {
    expect(follow(10, `one${BLANKS}`).text).toMatch(/^one% +$/);
    expect(follow(10, "one\r\n  ").text).toBe("one\n  ");
  });
});
