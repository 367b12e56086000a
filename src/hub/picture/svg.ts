/** Renders a screen as SVG. Each character is placed by its cell, so that no character can shift or reorder the rest. Pure. */
import type { ScreenCells, Style } from "../../sdk/view.js";
import { cellsOf, type Cell } from "./cells.js";
import { BACKGROUND, FOREGROUND, hexOf } from "./palette.js";

export const FONT_FAMILY = "DejaVu Sans Mono";
const FONT_SIZE = 20;
/** In pixels: the font is 0.602 wide and its baseline lies 0.236 above the bottom. */
export const CELL_WIDTH = 12;
export const CELL_HEIGHT = 24;
const BASELINE = 18;
export const MARGIN = 12;

/** Symbols of AI tools that the font lacks, mapped to similar ones. */
const ALIKE: Readonly<Record<string, string>> = {
  "⏺": "●",
  "⎿": "└",
  "⏵": "▶",
  "⏸": "‖",
  "✻": "✱",
  "✽": "✱",
  "⧉": "❐",
};

export function svgOf(screen: ScreenCells): string {
  const width = screen.cols * CELL_WIDTH + 2 * MARGIN;
  const height = screen.rows * CELL_HEIGHT + 2 * MARGIN;
  const cells = cellsOf(screen).filter(({ x, y }) => x < screen.cols && y < screen.rows);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">`,
    `<rect width="${width}" height="${height}" fill="${BACKGROUND}"/>`,
    `<g transform="translate(${MARGIN} ${MARGIN})" font-family="${FONT_FAMILY}" font-size="${FONT_SIZE}">`,
    ...cells.map(backgroundOf),
    cursorOf(screen),
    ...cells.map(textOf),
    "</g></svg>",
  ].join("");
}

function coloursOf({ foreground, background, inverse }: Style): { ink: string; paper: string } {
  const [ink, paper] = [hexOf(foreground, FOREGROUND), hexOf(background, BACKGROUND)];
  return inverse ? { ink: paper, paper: ink } : { ink, paper };
}

function backgroundOf({ x, y, width, style }: Cell): string {
  const { paper } = coloursOf(style);
  return paper === BACKGROUND ? "" : box(x, y, width, CELL_HEIGHT, 0, `fill="${paper}"`);
}

function box(x: number, y: number, width: number, height: number, top: number, paint: string): string {
  const at = `x="${x * CELL_WIDTH}" y="${y * CELL_HEIGHT + top}"`;
  return `<rect ${at} width="${width * CELL_WIDTH}" height="${height}" ${paint}/>`;
}

function cursorOf({ cursor, cols }: ScreenCells): string {
  if (!cursor) return "";
  return box(
    Math.min(cursor.x, cols - 1),
    cursor.y,
    1,
    CELL_HEIGHT,
    0,
    `fill="none" stroke="${FOREGROUND}" stroke-width="2"`,
  );
}

function textOf({ x, y, width, text, style }: Cell): string {
  const { ink } = coloursOf(style);
  const shade = style.dim ? ' opacity="0.6"' : "";
  const lines = [
    style.underline ? box(x, y, width, 1, BASELINE + 3, `fill="${ink}"`) : "",
    style.strikethrough ? box(x, y, width, 1, CELL_HEIGHT / 2, `fill="${ink}"`) : "",
  ].join("");
  if (style.invisible || text.trim() === "") return lines;
  const weight = style.bold ? ' font-weight="bold"' : "";
  const at = `x="${x * CELL_WIDTH}" y="${y * CELL_HEIGHT + BASELINE}"`;
  return `${lines}<text ${at} fill="${ink}"${weight}${shade}>${escaped(ALIKE[text] ?? text)}</text>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
