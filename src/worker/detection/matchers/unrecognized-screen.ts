/** A prompt that no rule recognizes (`unknown`): never answered automatically, and raised late, only with evidence that the tool waits. */
import type { ToolState } from "../../../model/tool-state.js";
import { SCREEN_KEYS, type ControlKey } from "../../../model/answer/screen-keys.js";
import type { Candidate } from "../../../sdk/candidate.js";
import type { Signals } from "../../../sdk/view.js";
import type { CompiledAdapter, CompiledRule } from "../../adapter-format/compiled/compiled.js";
import { joinContent } from "../layout/content.js";
import { ANY_FIELD } from "./any/any-field.js";
import { ANY_BUTTONS, ANY_LIST, ANY_LIST_RULE } from "./any-list-rule.js";
import { matchAnyList, readFramed } from "./any-list.js";
import { matchAnyButtons } from "./buttons.js";
import { findHeadline, isButtonRow } from "../layout/headline.js";
import { matchAskedList, matchCheckedList, LINEAR_LIST } from "./linear.js";
import { makeCandidate } from "./make-candidate.js";
import { KEY_NOTICE, SECRET_FIELD, matchKeyNotice } from "./key-notice.js";
import type { Detection } from "../detection.js";
import { readDrawnRows, joinDrawn } from "../layout/drawn-rows.js";
import { computeFingerprint } from "../layout/fingerprint.js";
import { describeLooks, withoutMotion } from "../layout/looks.js";
import { isBlank, isSeparator, findLastDrawn, readTextAt, readTexts, type Page } from "../layout/layout.js";
import { showsAnyState } from "../states.js";
import { looksLikeAsking, showsFilter } from "../shapes/asking-looks.js";
import { showsDrawnMenu } from "../shapes/drawn-menu.js";
import { hasNumberedRowsAbove } from "../shapes/line-menu.js";
import { findOfferedKeys } from "../shapes/offered-keys.js";
import { measureWidth } from "../../screen/widths.js";
import { findWaitingLine, isCommandLine } from "../shapes/waiting-line.js";

/**
 * The tool declares that it is blocked but shows its input box: it announces a dialog, or holds it back while somebody types. After
 * this long nobody is typing, and people know of it within a minute.
 */
const HELD_BACK_MS = 50_000;
/** A list that no rule of an agent describes is still for this long once it is drawn whole. */
export const ANY_LIST_MS = 1500;
/** One that asks for a number or a letter on its last row says itself how many rows it has. */
const ASKED_LIST_MS = 300;
/** An agent's screen that shows neither working nor idle for this long waits for somebody. */
export const UNRECOGNIZED_SCREEN_MS = 5000;
/** The default of `stuck_timeout_seconds`, where the tool declares that it is blocked, or the kernel confirms that it reads. */
export const STUCK_TIMEOUT_MS = 2000;

const UNREAD = "unread";
export const UNRECOGNIZED_MENU = "unrecognized_menu";

export function detectUnrecognized(
  adapter: CompiledAdapter,
  page: Page,
  signals: Signals,
  state: ToolState | null,
  stuckTimeoutMs: number,
): Detection | null {
  const stableMs = computeWaitMs(adapter, page, signals, state, stuckTimeoutMs);
  if (stableMs === null || findLastDrawn(page) < 0) return null;
  const isMenu = adapter.unread === "line" && showsMenu(adapter, page, signals);
  const isScreen = adapter.unread === "screen";
  const list = isScreen || isMenu ? readAnyList(page) : null;
  if (list === null) {
    const isEdited = !isMenu && isOnEditedLine(adapter, page, signals) && !holdsText(page);
    const isLine = signals.canonical === true || isEdited;
    const unread = makeUnread(page, isMenu ? UNRECOGNIZED_MENU : UNREAD, isLine, adapter.unreadKeys);
    const notice = isScreen ? matchKeyNotice(page, unread) : null;
    const isUnderstood = notice !== null || (isScreen && showsForm(page));
    const unreadMs = isUnderstood ? Math.min(stableMs, ANY_LIST_MS) : stableMs;
    return { candidate: notice ?? unread, state, stableMs: unreadMs };
  }
  // A program without an adapter may draw a list to look around in, so its list waits as long as any menu.
  const isAsked = list.rule === LINEAR_LIST && list.highlighted === null;
  const listMs = isAsked ? ASKED_LIST_MS : ANY_LIST_MS;
  return { candidate: list, state, stableMs: isMenu ? stableMs : Math.min(stableMs, listMs) };
}

function readAnyList(page: Page): Candidate | null {
  return (
    matchAskedList(page) ?? matchAnyList(page) ?? matchCheckedList(page) ?? readFramed(page, matchAnyButtons)
  );
}

/** Rows that may follow the buttons of a form: its keys, a status line. */
const ROWS_BELOW_BUTTONS_MAX = 6;

/** A row of buttons near the end, and no list: fields are above it. It is whole once the buttons are drawn. */
function showsForm(page: Page): boolean {
  const bottom = findLastDrawn(page);
  return readTexts(page, Math.max(0, bottom - ROWS_BELOW_BUTTONS_MAX), bottom - 1).some(isButtonRow);
}

const RULES_BY_LOOKS = [ANY_LIST, ANY_BUTTONS, ANY_FIELD, LINEAR_LIST, KEY_NOTICE, SECRET_FIELD];

/** Whether no rule of the tool's adapter file describes the candidate: it may be a picture between two others. */
export function isUnrecognized({ promptType, rule }: Candidate): boolean {
  return promptType === "unknown" || RULES_BY_LOOKS.includes(rule);
}

export function isDeclaredBlocked({ declared }: Signals): boolean {
  return declared?.state === "blocked";
}

/** An interpreter's own prompt has none of these: `* `, `(%i1) `. */
const WORDS_THAT_ASK = /[\p{L}\p{N}].*[?:]/u;

function computeWaitMs(
  adapter: CompiledAdapter,
  page: Page,
  signals: Signals,
  state: ToolState | null,
  stuckTimeoutMs: number,
): number | null {
  if (isDeclaredBlocked(signals))
    return showsAnyState(adapter, page.view, signals) ? HELD_BACK_MS : stuckTimeoutMs;
  if (adapter.unread === "none" || state !== null) return null;
  if (adapter.unread === "screen") return UNRECOGNIZED_SCREEN_MS;
  if (showsMenu(adapter, page, signals)) return UNRECOGNIZED_SCREEN_MS;
  const { foreground = "" } = signals;
  const mayReadCommands = adapter.noMenus.includes(foreground);
  const isPassive = adapter.passivePrograms.includes(foreground);
  const line = findWaitingLine(page, signals);
  if (line && isCommandLine(line, { ...signals, mayReadCommands }, true)) return null;
  const isAtLine = line?.row === page.cursor.row && (!mayReadCommands || WORDS_THAT_ASK.test(line.text));
  if (isOnEditedLine(adapter, page, signals)) return UNRECOGNIZED_SCREEN_MS;
  // A line without echo is a password, which is never typed remotely.
  const waits =
    signals.canonical === true && signals.echo !== false && signals.blockedOnRead === true && !isPassive;
  return waits && (isAtLine || asksBelowNumberedRows(page)) ? stuckTimeoutMs : null;
}

/** Whether the cursor is on a line that a program edits itself, as readline does, and it is not its command line. Text that shows how far something is ends without a blank. */
function isOnEditedLine(
  { unread, passivePrograms, noMenus }: CompiledAdapter,
  page: Page,
  signals: Signals,
): boolean {
  const { cursor, rows, view } = page;
  const { canonical, echo, blockedOnRead, foreground } = signals;
  if (unread !== "line" || findWaitingLine(page, signals)?.row !== cursor.row) return false;
  if (canonical !== false || echo !== false || blockedOnRead === false || foreground === undefined)
    return false;
  const isAsking = ![...passivePrograms, ...noMenus].includes(foreground) && cursor.visible;
  const hasBlank = cursor.column > measureWidth(rows[cursor.row]?.text ?? "");
  return isAsking && (blockedOnRead === true || view.modes.bracketedPaste || hasBlank);
}

/** `Path: /usr/local`: a text that the program proposes would be joined with the answer. The cursor stands right behind it. */
function holdsText({ cursor, rows }: Page): boolean {
  const text = rows[cursor.row]?.text ?? "";
  return cursor.column === measureWidth(text) && /[:?)\]] {1,3}\S{1,80}$/u.test(text);
}

const ROWS_BELOW_PROMPT_MAX = 1;

/** Numbered rows with the cursor right below them: a number is requested, whatever its row says. */
function asksBelowNumberedRows(page: Page): boolean {
  const below = findLastDrawn(page) - page.cursor.row;
  return below <= ROWS_BELOW_PROMPT_MAX && hasNumberedRowsAbove(page, page.cursor.row);
}

/** Whether the foreground program takes single keys and shows a menu, or else looks like asking. It must be quiet, since only then the facts of the tty are known. */
function showsMenu(
  { passivePrograms, noMenus }: CompiledAdapter,
  page: Page,
  { canonical, echo, blockedOnRead, foreground }: Signals,
): boolean {
  if (canonical !== false || echo === true || blockedOnRead === false || foreground === undefined)
    return false;
  if (passivePrograms.includes(foreground)) return false;
  // A filter that a shell's pipeline runs has the shell's name.
  if (showsFilter(page)) return true;
  if (noMenus.includes(foreground)) return false;
  return (
    showsDrawnMenu(page) || looksLikeAsking(page) || (page.cursor.visible && asksBelowNumberedRows(page))
  );
}

const UNREAD_RULE: CompiledRule = { ...ANY_LIST_RULE, name: UNREAD, promptType: "unknown" };

/** The candidate holds the lower part of the screen. More may be hidden, so its content always counts as cut. */
function makeUnread(page: Page, shape: string, isLine: boolean, declared: readonly ControlKey[]): Candidate {
  const bottom = findLastDrawn(page);
  const top = findLowerPart(page, bottom);
  // On a line any key but the tool's own would only be a character of it.
  const told = isLine ? [] : findOfferedKeys(page, top, bottom);
  const others = new Set<string>([...(isLine ? [] : SCREEN_KEYS), ...declared]);
  for (const { key } of told) others.delete(key);
  const keys = [...told, ...[...others].map((key) => ({ key }))];
  const made = makeCandidate(UNREAD_RULE, page, {
    question: readHeadline(page, top, bottom),
    constraints: keys.length === 0 ? {} : { keys },
    content: { text: joinContent(readTexts(page, top, bottom), page.cols), cut: {} },
    top,
    bottom,
    drawn: joinDrawn(readDrawnRows(page, top, bottom).map(withoutMotion)),
  });
  const fingerprint = computeFingerprint({ ...made, question: "" });
  return { ...made, shape, looks: describeLooks(page.view), fingerprint };
}

/** Fewer rows below a separator are an input box or a status line, no dialog. */
const DIALOG_ROWS_MIN = 3;

/** Dialogs are drawn below a separator; without one the whole screen counts. */
function findLowerPart(page: Page, bottom: number): number {
  let drawn = 0;
  for (let row = bottom; row >= 0; row--) {
    const text = readTextAt(page, row);
    if (!isSeparator(text)) drawn += isBlank(text) ? 0 : 1;
    else if (drawn >= DIALOG_ROWS_MIN) return row + 1;
  }
  return 0;
}

/** The question of a line program is its last line. */
function readHeadline(page: Page, top: number, bottom: number): string {
  const isLine = !page.view.modes.alternateScreen && page.cursor.row === bottom && page.cursor.visible;
  const last = readTextAt(page, bottom).trim();
  return isLine ? last : (findHeadline(page, top, bottom) ?? last);
}
