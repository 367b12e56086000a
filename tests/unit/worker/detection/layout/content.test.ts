/**
 * The content of a card keeps the rows in which the tool shows what is to be approved, and joins only lines that are proved to be
 * wrapped.
 */
import { describe, expect, it } from "vitest";
import { joinContent, joinProse } from "../../../../../src/worker/detection/layout/content.js";
import { toPage } from "../../../../../src/worker/detection/layout/layout.js";
import { Screen } from "../../../../../src/worker/screen/screen.js";

const COLS = 60;

/** What a terminal of that width shows of it, as detection reads it. */
async function rowsOn(text: string): Promise<string[]> {
  const screen = new Screen({ cols: COLS, rows: 20 });
  try {
    screen.write(Buffer.from(text.replaceAll("\n", "\r\n")));
    await screen.flushed();
    return toPage(screen.view()).rows.map((row) => row.text);
  } finally {
    screen.dispose();
  }
}

describe("the content that is being approved", () => {
  it.each([
    ["a comment that fills its row", `tar -czf site.tgz /srv/site     # weekly, it keeps old ones`],
    ["a command that is longer than a row", `export A=1 && ${"echo first && ".repeat(5)}export LANG=C.UTF-8`],
    ["a row that is full to its last column", "echo this is the first command".padEnd(COLS, "#")],
  ])("shows a second command on a line of its own behind %s", async (_, first) => {
    const text = joinContent(await rowsOn(`${first}\nrm -rf /srv/site\n`), COLS);
    expect(text.split("\n")).toEqual([first, "rm -rf /srv/site"]);
  });

  it("is one line where the terminal itself has wrapped it", async () => {
    const line = `curl -sS ${"https://example.com/a/b/c ".repeat(6)}-o out`;
    expect(joinContent(await rowsOn(line), COLS)).toBe(line);
  });

  it("goes on in an empty gutter of numbered lines, which proves that the line does", () => {
    const first = ` 12 +${"x".repeat(COLS - 5)}`;
    expect(joinContent([first, "     yyy"], COLS)).toBe(`12 +${"x".repeat(COLS - 5)}yyy`);
  });
});

it("text of a tool is joined again where a row was full", () => {
  const rows = ["This is a sentence that goes on in the row below since it", "did not fit."];
  expect(joinProse(rows, COLS)).toBe(rows.join(" "));
});
