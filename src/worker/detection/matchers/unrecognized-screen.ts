/** A question that no rule reads (`unknown`): never automatic, raised late, and only on good grounds. */
import type { ToolState } from "../../../model/tool-state.js";
import { CONFIDENCE_FLOOR } from "../../../model/prompt.js";
import type { Candidate } from "../../../sdk/candidate.js";
import type { Signals } from "../../../sdk/view.js";
import type { CompiledAdapter } from "../../adapter-format/compiled/compiled.js";
import { contentText } from "../layout/content.js";
import type { Detection } from "../detection.js";
import { drawnRows, drawnText } from "../layout/drawn-rows.js";
import { fingerprintOf } from "../layout/fingerprint.js";
import { isBlank, isSeparator, lastDrawn, sizeOf, textAt, type Page } from "../layout/layout.js";
import { showsAnyState } from "../states.js";
import { findDrawnMenu } from "../shapes/drawn-menu.js";
import { findWaitingLine } from "../shapes/waiting-line.js";

/**
 * A tool says that it is blocked and shows its input box: it announces a dialog, or holds it back while somebody types. After so
 * long nobody does.
 */
const HELD_BACK_MS = 60_000;
/** An agent's screen that is neither working nor idle for so long waits for somebody. */
export const UNREAD_SCREEN_MS = 5000;
/** The tool itself says that it is blocked, or the kernel says that it reads: `stuck_timeout_seconds`. */
export const STUCK_TIMEOUT_MS = 2000;

const UNREAD = "unread";
/** The shape of a drawn menu of a program that nobody knows. */
export const UNREAD_MENU = "unread_menu";

export function unreadDetection(
  adapter: CompiledAdapter,
  page: Page,
  signals: Signals,
  state: ToolState | null,
  stuckTimeoutMs: number,
): Detection | null {
  const stableMs = unreadAfter(adapter, page, signals, state, stuckTimeoutMs);
  if (stableMs === null || lastDrawn(page) < 0) return null;
  const isMenu = adapter.unread === "line" && showsMenu(adapter, page, signals);
  return { candidate: unreadCandidate(page, isMenu ? UNREAD_MENU : UNREAD), state, stableMs };
}

/** The tool itself says that it waits for somebody: no guess any more. */
export function isDeclaredBlocked({ declared }: Signals): boolean {
  return declared?.state === "blocked";
}

/** How long the screen must stand still to count, or null when there is nothing unread. */
function unreadAfter(
  adapter: CompiledAdapter,
  page: Page,
  signals: Signals,
  state: ToolState | null,
  stuckTimeoutMs: number,
): number | null {
  if (isDeclaredBlocked(signals))
    return showsAnyState(adapter, page.view, signals) ? HELD_BACK_MS : stuckTimeoutMs;
  if (adapter.unread === "none" || state !== null) return null;
  if (adapter.unread === "screen") return UNREAD_SCREEN_MS;
  if (showsMenu(adapter, page, signals)) return UNREAD_SCREEN_MS;
  const isPassive = signals.foreground !== undefined && adapter.passivePrograms.includes(signals.foreground);
  // Without echo it is a password, and nothing may be typed into it from afar.
  const waits =
    signals.canonical === true && signals.echo !== false && signals.blockedOnRead === true && !isPassive;
  const line = waits ? findWaitingLine(page, signals) : null;
  return line && line.row === page.cursor.row ? stuckTimeoutMs : null;
}

/** A program in the foreground takes single keys, is quiet (only then its terminal is known), and shows something to choose from. */
function showsMenu(
  { passivePrograms, noMenus }: CompiledAdapter,
  page: Page,
  { canonical, echo, blockedOnRead, foreground }: Signals,
): boolean {
  if (canonical !== false || echo === true || blockedOnRead === false || foreground === undefined)
    return false;
  return ![...passivePrograms, ...noMenus].includes(foreground) && findDrawnMenu(page) !== null;
}

/** All of the screen's lower part: nobody knows what matters. It may be more than is drawn, so it never counts as whole. */
function unreadCandidate(page: Page, shape: string): Candidate {
  const bottom = lastDrawn(page);
  const top = lowerPart(page, bottom);
  const rows = page.rows.slice(top, bottom + 1).map(({ text }) => text);
  const drawn = drawnText(drawnRows(page, top, bottom).map(steady));
  const content = { text: contentText(rows, page.cols), cut: {} };
  const known = {
    rule: "unread",
    question: textAt(page, headline(page, top, bottom)).trim(),
    choices: [],
    drawn,
  };
  return {
    ...known,
    content,
    listed: "",
    size: sizeOf(page),
    shape,
    promptType: "unknown",
    safetyClass: "permission",
    score: CONFIDENCE_FLOOR.low,
    highlighted: null,
    constraints: {},
    region: { top: page.rows[top]?.first ?? 0, bottom: page.rows[bottom]?.last ?? 0 },
    fingerprint: fingerprintOf({ ...known, question: "" }),
    committingKeys: ["\r", "\u001b"],
    endsTool: [],
  };
}

/** Less below a line is an input box or a status line, no dialog. */
const DIALOG_ROWS_MIN = 3;

/** Dialogs stand below a line; without one it is the whole screen. */
function lowerPart(page: Page, bottom: number): number {
  let drawn = 0;
  for (let row = bottom; row >= 0; row--) {
    const text = textAt(page, row);
    if (!isSeparator(text)) drawn += isBlank(text) ? 0 : 1;
    else if (drawn >= DIALOG_ROWS_MIN) return row + 1;
  }
  return 0;
}

/** A line program asks on its last line; a drawn dialog says at its top what it is about. */
function headline(page: Page, top: number, bottom: number): number {
  if (!page.view.modes.alternateScreen && page.cursor.row === bottom) return bottom;
  let row = top;
  while (row < bottom && (isBlank(textAt(page, row)) || isSeparator(textAt(page, row)))) row++;
  return row;
}

/** Times and amounts that grow while a tool works: `(12s`, `0:42`, `3.4k tokens`, `17%`. */
const COUNTERS =
  /\d{1,9}(?:[.,]\d{1,9})?(?=(?:ms|[smh]|%| ?(?:sec|min|k? ?tokens))(?![\p{L}\p{N}]))|\d{1,2}:\d\d/gu;

/** Without what blinks, turns and counts: a sign that stands alone, a time, an amount. Everything else is text. */
function steady(text: string): string {
  return text.replace(/(?<!\S)[●○◯•◐◑◒◓·✢*✶✻✽\u2800-\u28ff](?!\S)/gu, " ").replace(COUNTERS, "0");
}
