/** Whether the text around a list announces choices, or the steps of an agent's work. */
import { readLeftOfBox } from "./side-box.js";
import type { Page } from "../layout/layout.js";
import type { FoundList } from "./list.js";
import type { Mark } from "./list-mark.js";

/** `Todo`, `Updated plan`, `Tasks (1/3)`: headings of an agent's list of steps, with the number of finished ones. */
const PLAN_HEADING =
  /^\P{L}*(?:\p{L}{1,20} ){0,2}(?:to-?dos?|plan|tasks|steps|checklist|progress)(?: list)?[^\p{L}?]*$|^\P{L}*(?:to-?dos?|plan|tasks|steps|progress)\P{L}+\d{1,3}\s?(?:\/|of)\s?\d{1,3}\b/iu;

/** Signs of steps that are done, in progress or still to do. */
const TICKS = /^[✓✔☑☒✗✘✕☐□■▣◐◑◒◓]/u;

/** Whether the list shows the steps of an agent's work, which asks nobody: its heading says so, or ticks in the mark's column do. */
export function isPlan(page: Page, { top, rows }: FoundList, mark: Mark): boolean {
  if (hasAnswer(rows)) return false;
  const above = page.rows.slice(0, top).map((_, row) => readLeftOfBox(page, row).trim());
  const heading = above.filter((text) => text !== "").at(-1) ?? "";
  return PLAN_HEADING.test(heading) || TICKS.test(readLeftOfBox(page, top - 1).slice(mark.column));
}

/** Words above choices that ask, or tell what to do; none of them announces steps of work. */
const ASKS_ABOVE =
  /[?？]|\b(?:select|choose|pick|which|want|would|should|allow|approve|approval|permission|permit|confirm|proceed|trust|requires?|wants?|needs?|review|options?|choices?|answer|respond|decide|prefer|set up|settings?|mode|model|switch|sign in|log ?in|resume|update available|warning)\b/iu;

const KEYS_BELOW =
  /\b(?:enter|return|esc(?:ape)?|tab|space|ctrl|shift|arrows?|press|keys?)\b|[↑↓⏎↵]|\^[A-Z]\b|\b[a-z] (?:to )?(?:select|confirm|cancel|quit)\b/iu;

/** A row of choices that only an answer is. */
const ANSWERS =
  /^(?:yes|no|ok|allow|deny|approve|reject|accept|decline|cancel|abort|refuse|continue|proceed|skip|quit|exit|back|other|never|always|don.?t)\b/iu;

const QUESTION_ROWS = 12;

/** Signs that stand before the row of a cursor in lists of any language. The other marks are also drawn before the present step of a plan. */
export const CURSORS = ["❯", "›"];

/**
 * Steps of work have a heading in any words. Choices are announced by a cursor's own sign, by a question, by keys below them, or by an
 * answer among them. Steps are ticked, too, so of those with ticks the sign says nothing.
 */
export function isAsked(page: Page, { top, bottom, rows }: FoundList, mark: Mark): boolean {
  const isTicked = rows.some(({ checked }) => checked !== null);
  const hasCursor = rows.some(({ first }) => CURSORS.includes(readLeftOfBox(page, first)[mark.column] ?? ""));
  if ((hasCursor && !isTicked) || hasAnswer(rows)) return true;
  const above = page.rows.slice(Math.max(0, top - QUESTION_ROWS), top);
  return above.some(({ text }) => ASKS_ABOVE.test(text)) || namesKeysBelow(page, bottom);
}

export function hasAnswer(rows: readonly { readonly label: string }[]): boolean {
  return rows.some(({ label }) => ANSWERS.test(label));
}

export function namesKeysBelow(page: Page, bottom: number): boolean {
  return page.rows.slice(bottom + 1).some(({ text }) => KEYS_BELOW.test(text));
}

/** A list at the top of a long screen is text that scrolls away, and no dialog. */
const ROWS_BELOW_MAX = 12;
/** `Continue?`, `[y] allow`, `(y/n)`, `> `: below a list that is text, such a row asks what the keys would go to. */
const ASKS = /\?$|[[(](?:[a-zA-Z]|[yY](?:es)?\/[nN]o?)[\])]|^> /u;

export function isLowest(page: Page, bottom: number): boolean {
  const below = page.rows.slice(bottom + 1).map(({ text }) => text.replace(/[│┃]/gu, "").trim());
  const drawn = below.filter((text) => text !== "");
  return drawn.length <= ROWS_BELOW_MAX && !drawn.some((text) => ASKS.test(text));
}
