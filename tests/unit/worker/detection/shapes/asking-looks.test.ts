/** What a program that takes single keys draws while it asks is told from what programs draw otherwise. */
import { describe, expect, it } from "vitest";
import { looksLikeAsking, showsFilter } from "../../../../../src/worker/detection/shapes/asking-looks.js";
import { toPage } from "../../../../../src/worker/detection/layout/layout.js";
import { drawView } from "../screens.js";

const looks = async (rows: readonly string[]): Promise<boolean> =>
  looksLikeAsking(toPage(await drawView(rows)));

describe("the looks of a program that asks", () => {
  it.each([
    ["boxes to tick", ["  ◯ Tests", "  ◉ Lint"]],
    ["boxes in brackets, in a frame", ["│  [ ] web   │", "│  [*] ssh   │"]],
    ["a choice of one", ["( ) 6.1", "(*) 6.6"]],
    ["a prompt library's sign in a frame", ["╭────────────╮", "│ ? Answer?  │", "╰────────────╯"]],
    ["buttons", ["│      <Ok>      <Cancel>      │"]],
    ["keys that choose", ["Something", "↑↓ navigate • ⏎ select"]],
    ["a list in a window", ["│ ┌──────────┐ │", "│ │ Install  │ │", "│ └──────────┘ │"]],
  ])("are known by %s", async (_, rows) => {
    expect(await looks(rows)).toBe(true);
  });

  it.each([
    ["a task list of a text", ["- [ ] write it", "- [x] read it"]],
    ["one box alone", ["[ ] remember me"]],
    ["a bar of progress", ["│ ┌──────────┐ │", "│ │████ 45%  │ │", "│ └──────────┘ │"]],
    ["tags", ["<div>", "  <p>text</p>", "</div>"].map((row) => `x ${row}`)],
    ["keys that leave", ["q quit • ↑↓ scroll"]],
  ])("are not %s", async (_, rows) => {
    expect(await looks(rows)).toBe(false);
  });

  it("tell a filter by how many of how many rows it shows", async () => {
    expect(showsFilter(toPage(await drawView(["> alpha", "  3/3 ────────"])))).toBe(true);
    expect(showsFilter(toPage(await drawView(["3/3 tests passed"])))).toBe(false);
  });
});
