/** In a window of another width a long line is wrapped anew, and the cursor stays behind the character where it was. */
import { describe, expect, it } from "vitest";
import { Screen } from "../../../../../src/worker/screen/screen.js";

interface Seen {
  readonly rows: readonly string[];
  readonly cursor: readonly [x: number, y: number];
}

async function resized(text: string, from: number, ...widths: readonly number[]): Promise<Seen> {
  const screen = new Screen({ cols: from, rows: 5 });
  screen.write(Buffer.from(text));
  await screen.flushed();
  for (const cols of widths) screen.resize({ cols, rows: 5 });
  const { lines, cursor } = screen.view();
  return { rows: lines.map((line) => line.text).filter((row) => row !== ""), cursor: [cursor.x, cursor.y] };
}

describe("a line that is wrapped anew", () => {
  it.each<[string, string, readonly number[], Seen]>([
    ["narrower", "Really? (y/n) ", [20, 10], { rows: ["Really? (y", "/n)"], cursor: [4, 1] }],
    ["wider", "Really? (y/n) ", [10, 20], { rows: ["Really? (y/n)"], cursor: [14, 0] }],
    ["there and back", "Really? (y/n) ", [20, 6, 20], { rows: ["Really? (y/n)"], cursor: [14, 0] }],
    ["to exactly its length", "0123456789", [20, 10], { rows: ["0123456789"], cursor: [10, 0] }],
    ["with wide characters", "名前は何ですか：", [20, 9], { rows: ["名前は何", "ですか："], cursor: [8, 1] }],
    [
      "wider with wide characters",
      "名前は何ですか：",
      [9, 20],
      { rows: ["名前は何ですか："], cursor: [16, 0] },
    ],
    [
      "below others",
      "one\r\ntwo three four",
      [20, 8],
      { rows: ["one", "two thre", "e four"], cursor: [6, 2] },
    ],
    ["with the cursor in it", "abcdefghij\b\b\b", [20, 5], { rows: ["abcde", "fghij"], cursor: [2, 1] }],
  ])("keeps its cursor: %s", async (_, text, [from = 0, ...widths], seen) => {
    expect(await resized(text, from, ...widths)).toEqual(seen);
  });

  it("leaves the alternate screen as it is", async () => {
    const seen = await resized("\u001b[?1049h\u001b[HReally? (y/n) ", 20, 10);
    expect(seen).toEqual({ rows: ["Really? (y"], cursor: [9, 0] });
  });

  it("keeps the cursor where the rows above it leave the screen", async () => {
    const text = `${"line\r\n".repeat(4)}Really delete? (y/n) `;
    expect(await resized(text, 30, 10)).toMatchObject({ cursor: [1, 4] });
  });
});
