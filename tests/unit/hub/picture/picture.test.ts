/** The picture of a screen is drawn from redacted cells, with colours, weights and cursor, and shows hidden characters visibly. */
import { describe, expect, it } from "vitest";
import { layOutCells } from "../../../../src/hub/picture/cells.js";
import { createScreenPainter } from "../../../../src/hub/picture/paint.js";
import { toHex } from "../../../../src/hub/picture/palette.js";
import { CELL_HEIGHT, CELL_WIDTH, MARGIN, renderSvg } from "../../../../src/hub/picture/svg.js";
import type { ScreenCells } from "../../../../src/sdk/view.js";
import { Screen } from "../../../../src/worker/screen/screen.js";

/** What a terminal of that size shows after these bytes. */
async function screenAfter(bytes: string, cols = 40, rows = 6): Promise<ScreenCells> {
  const screen = new Screen({ cols, rows });
  screen.write(Buffer.from(bytes));
  await screen.flushed();
  const { lines, cursor } = screen.view();
  return {
    cols,
    rows,
    cursor: cursor.visible ? { x: cursor.x, y: cursor.y } : null,
    lines: lines.map((line) => ({ wrapped: line.wrapped, runs: line.runs() })),
  };
}

function listRows(screen: ScreenCells): string[] {
  const rows = Array.from({ length: screen.rows }, () => "");
  for (const { y, text } of layOutCells(screen)) rows[y] = `${rows[y] ?? ""}${text}`;
  return rows.map((row) => row.trimEnd());
}

describe("before anything is drawn", () => {
  it("every cell of a secret is covered, also of one that the terminal wrapped", async () => {
    const secret = `ghp_${"a1B2c3D4e5".repeat(4)}`;
    const screen = await screenAfter(`export API_KEY=hunter2secret\r\ntoken ${secret} end\r\nplain`, 30, 6);
    const drawn = listRows(screen);
    expect(drawn[0]).toBe("export API_KEY=•••••••••••••");
    expect(drawn.join("")).not.toContain("a1B2");
    expect(drawn.join("")).toContain(" end");
    expect(drawn.at(3)).toBe("plain");
    expect(renderSvg(screen)).not.toMatch(/hunter|ghp_.*a1B2/);
  });

  it("a wide character keeps its two columns, and what follows stays in its place", async () => {
    const cells = layOutCells(await screenAfter("日本x"));
    expect(cells.slice(0, 3).map(({ x, width, text }) => [x, width, text])).toEqual([
      [0, 2, "日"],
      [2, 2, "本"],
      [4, 1, "x"],
    ]);
  });

  it("hiding and reordering characters are drawn visibly", async () => {
    const screen = await screenAfter("a\u202eb\u200bc");
    expect(renderSvg(screen)).not.toMatch(/[\u202e\u200b]/);
    expect(listRows(screen)[0]).toContain("\ufffd");
  });
});

describe("the drawing of the screen", () => {
  it("has a place for every cell, its colours, weights, lines and the cursor", async () => {
    const svg = renderSvg(
      await screenAfter("\u001b[1;31mred\u001b[0m \u001b[7minv\u001b[0m \u001b[4mu\u001b[0m<&>", 20, 3),
    );
    expect(svg).toContain(`width="${20 * CELL_WIDTH + 2 * MARGIN}" height="${3 * CELL_HEIGHT + 2 * MARGIN}"`);
    expect(svg).toContain(`fill="${toHex(1, "")}" font-weight="bold">r</text>`);
    expect(svg).toContain("&lt;</text>");
    expect(svg).toContain("&amp;</text>");
    expect(svg).toContain(
      `<rect x="${12 * CELL_WIDTH}" y="0" width="${CELL_WIDTH}" height="${CELL_HEIGHT}" fill="none"`,
    );
  });

  it("knows the sixteen colours, the cube, the greys and the terminal's own", () => {
    expect([toHex(null, "#111111"), toHex("#abcdef", ""), toHex(16, ""), toHex(231, "")]).toEqual([
      "#111111",
      "#abcdef",
      "#000000",
      "#ffffff",
    ]);
    expect([toHex(232, ""), toHex(255, ""), toHex(208, "")]).toEqual(["#080808", "#eeeeee", "#ff8700"]);
  });

  it("becomes a PNG of that size, in which a character changes something", async () => {
    const paint = createScreenPainter("fonts");
    const [empty, full] = [await paint(await screenAfter("")), await paint(await screenAfter("hello"))];
    for (const png of [empty, full]) {
      const bytes = Buffer.from(png ?? []);
      expect(bytes.subarray(1, 4).toString()).toBe("PNG");
      expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([
        40 * CELL_WIDTH + 2 * MARGIN,
        6 * CELL_HEIGHT + 2 * MARGIN,
      ]);
    }
    expect(Buffer.from(empty!).equals(Buffer.from(full!))).toBe(false);
  });
});
