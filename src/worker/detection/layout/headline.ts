/** Chooses the row that best says what an unread screen is about: never the edge of a box, a logo or a row of a list. */
import { isBlank, isSeparator, readTextAt, type Page } from "./layout.js";

/** Sides and corners of frames, and signs that stand before a text. */
const AROUND = /^[\s│┃║|╭╮╰╯┌┐└┘├┤─━═▏▕]+|[\s│┃║|╭╮╰╯┌┐└┘├┤─━═▏▕]+$/gu;
const LOGO = /[▀-▟╔╗╚╝]/u;
/** The rows of a list: marked, numbered or with a box to tick. */
const LIST_ROW = /^(?:[❯›>●○▸→➤◉◯☐☑☒◻◼]|\d{1,2}[.)]|\[[ xX*✓✔]\]|\([ *•]\)|[←→] ) ?/u;
/** Key help, buttons, a panel or a spinner below the dialog, and the name of a mode. */
const BESIDE =
  /^(?:(?:press |use )?(?:enter|return|esc|escape|tab|space|ctrl|shift|[↑↓←→⏎]).{0,60}\b(?:to|select|confirm|cancel|submit|navigate|accept|dismiss)\b|[⎿⠁-⣿✢✳✶✻✽]|<.{1,40}>|\[[^\]]{1,60}\]$)/iu;
const WORDS = /\p{L}{2}/u;
const ASKS = /[?？](?: ?[([]y(?:es)?\/no?[)\]])?$/iu;
/** Buttons side by side: `Accept    Decline`. */
const BUTTONS =
  /^[\s❯›>]*(?:accept|submit|ok|yes|allow|approve|continue|confirm|save) {2,}(?:decline|cancel|no|deny|reject|back|discard)\s*$/iu;

export function isButtonRow(text: string): boolean {
  return BUTTONS.test(text);
}

export function isListRow(text: string): boolean {
  return LIST_ROW.test(text.replace(AROUND, ""));
}

/** A question further above the last row is not what waits. */
const NEAR_ROWS = 16;
const LENGTH_MAX = 300;

/** The lowest text nearby that asks; else what begins the block of the cursor, or the last block; null: no word is drawn. */
export function findHeadline(page: Page, top: number, bottom: number): string | null {
  const texts = Array.from({ length: bottom - top + 1 }, (_, index) => readText(page, top + index));
  const near = texts.slice(-NEAR_ROWS);
  const asking = near.findLast((text) => text !== null && ASKS.test(text));
  if (asking) return asking;
  return findBlock(page, top, bottom, texts) ?? findRow(page, top, bottom);
}

/** The first text of the block of the cursor, or of the lowest one above it that has any. */
function findBlock(
  page: Page,
  top: number,
  bottom: number,
  texts: readonly (string | null)[],
): string | null {
  const { row, visible } = page.cursor;
  const end = visible && row >= top && row <= bottom ? row : bottom;
  let begins: string | null = null;
  for (let at = end; at >= top && (begins === null || !isEdge(page, at)); at--)
    begins = texts[at - top] ?? begins;
  return begins ?? texts.find((text) => text !== null) ?? null;
}

/** Where nothing but a list, its keys and a panel is drawn: its first row with a word. */
function findRow(page: Page, top: number, bottom: number): string | null {
  const rows = page.rows.slice(top, bottom + 1).map(({ text }) => text.replace(AROUND, ""));
  return rows.find((text) => WORDS.test(text) && !LOGO.test(text))?.slice(0, LENGTH_MAX) ?? null;
}

function isEdge(page: Page, row: number): boolean {
  const text = readTextAt(page, row);
  return isBlank(text.replace(AROUND, "")) || isSeparator(text);
}

function readText(page: Page, row: number): string | null {
  const text = readTextAt(page, row).replace(AROUND, "");
  const isOther = [LOGO, LIST_ROW, BESIDE, BUTTONS].some((other) => other.test(text));
  return isOther || text.length > LENGTH_MAX || !WORDS.test(text) ? null : text;
}
