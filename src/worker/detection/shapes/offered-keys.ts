/**
 * The keys that a screen offers, with the effects that it names: `Enter to accept · shift+Tab to go back`, `Press any key`. They
 * only label keys for people on a screen that no rule reads.
 */
import type { OfferedKey } from "../../../model/answer/screen-keys.js";
import { isBlank, readTextAt, type Page } from "../layout/layout.js";

/** Key help is at the bottom of a dialog. */
const ROWS_MAX = 12;
/** A longer text is a sentence that mentions a key. */
const DOES_MAX = 40;
/** More keys than these are a help page. */
const KEYS_MAX = 12;

const NAMES: readonly (readonly [name: RegExp, key: string])[] = [
  [/^(?:enter|return|⏎|↵|↩)$/iu, "enter"],
  [/^(?:esc|escape)$/iu, "esc"],
  [/^(?:tab|⇥)$/iu, "tab"],
  [/^(?:shift[+ -]tab|⇧[+ ]?tab|backtab)$/iu, "shift+tab"],
  [/^(?:space|space ?bar)$/iu, "space"],
];

const BETWEEN = /\s{2,}|\s*[·•|│┃]\s*|,\s+/u;
const ONE =
  /^(?:\(|\[)?(?:(?:press|hit|use) )?\[?(shift[+ -]tab|⇧[+ ]?tab|space ?bar|[\w⏎↵↩⇥]{1,9})\]?(?: key)?(?: to |\s?[:=→] ?| )(\S.*?)[)\].]?$/iu;
const SAID = /^(?:\(|\[)?(?:(?:press|hit|use) )?\S{1,16}(?: key)? ?(?:to |[:=→])/iu;
const LETTER = /^(?:(?:press|hit) |\[)([a-z])\]?(?: key)? (?:to )?(\S.{0,40})$/iu;
const ANY_KEY = /\b(?:press|hit) any key\b/iu;

const NAMES_ENTER = /\b(?:enter|return)\b|[⏎↵↩]/iu;

/** The lowest row that names Enter; -1: there is none. */
export function findKeysRow(page: Page): number {
  return page.rows.findLastIndex(({ text }) => NAMES_ENTER.test(text));
}

/** Nothing but the lower edge of a frame, and its sides. */
export function isEdge(text: string): boolean {
  return isBlank(text.replace(/[\s│┃|╰╯└┘─━═╹]/gu, ""));
}

export function tells(told: readonly OfferedKey[], name: string, does: RegExp): boolean {
  return told.some(({ key, does: said }) => key === name && does.test(said ?? ""));
}

export function withoutSides(text: string): string {
  return text.replace(/^[\s│┃|]+|[\s│┃|]+$/gu, "");
}

export function findOfferedKeys(page: Page, top: number, bottom: number): readonly OfferedKey[] {
  const keys = new Map<string, OfferedKey>();
  for (let row = Math.max(top, bottom - ROWS_MAX); row <= bottom; row++) {
    const text = withoutSides(readTextAt(page, row));
    if (isBlank(text)) continue;
    if (ANY_KEY.test(text)) keys.set("space", { key: "space", does: "any key" });
    for (const told of readRow(text)) if (!keys.has(told.key)) keys.set(told.key, told);
  }
  return [...keys.values()].slice(0, KEYS_MAX);
}

function readRow(text: string): readonly OfferedKey[] {
  const found = text.split(BETWEEN).flatMap((part) => readPart(part) ?? []);
  // `Enter your name` is no key: without "to" or a colon only several in one row are keys.
  return found.filter(({ isSaid }) => isSaid || found.length > 1).map(({ key, does }) => ({ key, does }));
}

function readPart(part: string): (Required<OfferedKey> & { readonly isSaid: boolean }) | null {
  const [, name = "", does = ""] = ONE.exec(part) ?? [];
  const key = NAMES.find(([pattern]) => pattern.test(name))?.[1];
  if (key !== undefined) return does.length > DOES_MAX ? null : { key, does, isSaid: SAID.test(part) };
  const [, letter = "", said = ""] = LETTER.exec(part) ?? [];
  return letter === "" || said.length > DOES_MAX ? null : { key: letter, does: said, isSaid: true };
}
