/**
 * Screens that no rule describes and that still say enough: a notice whose last rows name the keys that it takes (`Enter to stay · Esc to
 * cancel`), and a field for a secret. Like any list without a rule they have the lowest score, and their content never counts as whole.
 */
import type { OfferedKey } from "../../../model/answer/screen-keys.js";
import type { Candidate } from "../../../sdk/candidate.js";
import type { ViewLine } from "../../../sdk/view.js";
import { computeFingerprint } from "../layout/fingerprint.js";
import { findLastDrawn, type Page } from "../layout/layout.js";
import { nameGround } from "../layout/text-style.js";
import { findAnswerTabs } from "./any/answer-tabs.js";
import { isParked } from "../shapes/linear-list.js";
import { findKeysRow, isEdge } from "../shapes/offered-keys.js";
import { matchAnyField } from "./any/any-field.js";

export const KEY_NOTICE = "key_notice";
export const SECRET_FIELD = "secret_field";

/** `unread`: the candidate for the same screen if it is not read. Null if the screen does not name its keys. */
export function matchKeyNotice(page: Page, unread: Candidate): Candidate | null {
  const told = (unread.constraints.keys ?? []).filter(({ does }) => does !== undefined);
  const enter = told.find(({ key }) => key === "enter");
  if (enter === undefined || !standsLast(page)) return null;
  return readSecret(page, unread) ?? matchAnyField(page, unread) ?? readNotice(page, unread, told, enter);
}

const ASKS_SECRET =
  /\b(?:enter|type|paste|input|provide)\b.{0,30}\b(?:api[- ]?key|password|passphrase|passcode|access token|secret)\b/iu;

/** It is typed at the terminal only, so a screen that is taken for one by mistake costs nothing but the way to the terminal. */
function readSecret(page: Page, unread: Candidate): Candidate | null {
  const rows = listRows(page, unread);
  if (!rows.some((text) => ASKS_SECRET.test(text))) return null;
  return stampFingerprint({
    ...unread,
    rule: SECRET_FIELD,
    promptType: "secret",
    safetyClass: "secret",
    constraints: {},
    content: { text: "", cut: null },
    // Typed text shows as dots.
    drawn: "",
  });
}

/**
 * With these Enter takes a row or enters a field. "Confirm" also occurs below lists, and below a list with a mark by colour only.
 */
const ACTS_ON_ROW =
  /^(?:confirm|select|toggle|choose|pick|open|edit|type|add|search|filter|navigate|move|expand|view|see|show)\b/iu;
const OTHER_KEYS: readonly string[] = ["esc", "shift+tab", "tab"];
/** A sign before a text, whatever it is: it may mark a row. A box to tick, a number, a frame of its own, which may be a field. */
const TAKES_MORE =
  /^[\s│┃|]*(?:[^\p{L}\p{N}\s"'`(│┃|╰╯└┘─━][\uFE0E\uFE0F]? +\S|\[[ xX*✓✔]\]|\([ *•]\)|[╭┌].*[╮┐][\s│┃|]*$|\d{1,2}[.)] )/u;

/** Pages of several questions, between arrows that turn them: `← ✓ Database │ ≡ Review →`. */
const TABS = /^[\s│┃|]*[←◀] .{1,200} [→▶][\s│┃|]*$/u;

/** Keys that move, before the others: `⇆ tab  enter submit`. */
const MOVES = /^[\s│┃|]*[⇆⇄↔↕↑↓]{1,4} .{0,80}\b(?:enter|return)\b/iu;

/** Enter and another key are named, and nothing but keys is to be given. */
function readNotice(
  page: Page,
  unread: Candidate,
  told: readonly OfferedKey[],
  enter: OfferedKey,
): Candidate | null {
  if (!isParked(page) || ACTS_ON_ROW.test(enter.does ?? "")) return null;
  if (!told.some(({ key }) => OTHER_KEYS.includes(key))) return null;
  const { top, bottom } = unread.region;
  const first = top + findFrameTop(listRows(page, unread));
  const lines = page.view.lines.slice(first, bottom + 1);
  const tabs = findAnswerTabs(lines);
  const isMore = (text: string): boolean => TAKES_MORE.test(text) && !TABS.test(text) && !MOVES.test(text);
  if (lines.some(({ text }) => isMore(text)) || isSetOff(lines.filter((_, at) => at !== tabs))) return null;
  return stampFingerprint({
    ...unread,
    rule: KEY_NOTICE,
    promptType: "confirm_enter",
    constraints: { keys: told },
  });
}

function stampFingerprint(candidate: Candidate): Candidate {
  return { ...candidate, fingerprint: computeFingerprint(candidate) };
}

/** Some of it has a background that the rest has not: that may be the marked row of a list, or a button. */
function isSetOff(lines: readonly ViewLine[]): boolean {
  const drawn = lines.flatMap((line) => line.runs().filter(({ text }) => text.trim() !== ""));
  return new Set(drawn.map(({ style }) => nameGround(style))).size > 1;
}

/** The first row inside a frame that the last row closes, or beside a line that goes down to it; 0: there is none. */
function findFrameTop(rows: readonly string[]): number {
  const end = rows.findLastIndex((text) => text.trim() !== "");
  const side = rows[end]?.search(/\S/u) ?? -1;
  const isBeside = (text: string): boolean => /[│┃]/u.test(text[side] ?? "");
  if (isBeside(rows[end] ?? "")) return rows.findLastIndex((text, at) => at < end && !isBeside(text)) + 1;
  const column = rows[end]?.search(/[╰└]/u) ?? -1;
  const top =
    column < 0 ? -1 : rows.findLastIndex((text, at) => at < end && /[╭┌]/u.test(text[column] ?? ""));
  return top + 1;
}

function listRows({ view }: Page, { region }: Candidate): readonly string[] {
  return view.lines.slice(region.top, region.bottom + 1).map(({ text }) => text);
}

/** Rows that may follow the keys: the edge of a frame, a status line. */
const BELOW_MAX = 2;

/** Key help is in the last rows: above a panel or an input box it belongs to something else. */
function standsLast(page: Page): boolean {
  const at = findKeysRow(page);
  const below = page.rows.slice(at + 1, findLastDrawn(page) + 1).filter(({ text }) => !isEdge(text));
  return at >= 0 && below.length <= BELOW_MAX;
}
