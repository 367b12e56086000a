/** Renders a screen as SVG. Each character is placed by its cell, so that no character can shift or reorder the rest. Pure. */
import type { ScreenCells, Style } from "../../sdk/view.js";
import { layOutCells, type Cell } from "./cells.js";
import { BACKGROUND, FOREGROUND, toHex } from "./palette.js";

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

export function renderSvg(screen: ScreenCells): string {
  const width = screen.cols * CELL_WIDTH + 2 * MARGIN;
  const height = screen.rows * CELL_HEIGHT + 2 * MARGIN;
  const cells = layOutCells(screen).filter(({ x, y }) => x < screen.cols && y < screen.rows);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">`,
    `<rect width="${width}" height="${height}" fill="${BACKGROUND}"/>`,
    `<g transform="translate(${MARGIN} ${MARGIN})" font-family="${FONT_FAMILY}" font-size="${FONT_SIZE}">`,
    ...cells.map(renderBackground),
    renderCursor(screen),
    ...cells.map(renderText),
    "</g></svg>",
  ].join("");
}

function getColours({ foreground, background, inverse }: Style): { ink: string; paper: string } {
  const [ink, paper] = [toHex(foreground, FOREGROUND), toHex(background, BACKGROUND)];
  return inverse ? { ink: paper, paper: ink } : { ink, paper };
}

function renderBackground({ x, y, width, style }: Cell): string {
  const { paper } = getColours(style);
  return paper === BACKGROUND ? "" : renderBox(x, y, width, CELL_HEIGHT, 0, `fill="${paper}"`);
}

function renderBox(x: number, y: number, width: number, height: number, top: number, paint: string): string {
  const at = `x="${x * CELL_WIDTH}" y="${y * CELL_HEIGHT + top}"`;
  return `<rect ${at} width="${width * CELL_WIDTH}" height="${height}" ${paint}/>`;
}

function renderCursor({ cursor, cols }: ScreenCells): string {
  if (!cursor) return "";
  return renderBox(
    Math.min(cursor.x, cols - 1),
    cursor.y,
    1,
    CELL_HEIGHT,
    0,
    `fill="none" stroke="${FOREGROUND}" stroke-width="2"`,
  );
}

function renderText({ x, y, width, text, style }: Cell): string {
  const { ink } = getColours(style);
  const shade = style.dim ? ' opacity="0.6"' : "";
  const lines = [
    style.underline ? renderBox(x, y, width, 1, BASELINE + 3, `fill="${ink}"`) : "",
    style.strikethrough ? renderBox(x, y, width, 1, CELL_HEIGHT / 2, `fill="${ink}"`) : "",
  ].join("");
  if (style.invisible || text.trim() === "") return lines;
  const weight = style.bold ? ' font-weight="bold"' : "";
  const at = `x="${x * CELL_WIDTH}" y="${y * CELL_HEIGHT + BASELINE}"`;
  return `${lines}<text ${at} fill="${ink}"${weight}${shade}>${escapeXml(ALIKE[text] ?? text)}</text>`;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
