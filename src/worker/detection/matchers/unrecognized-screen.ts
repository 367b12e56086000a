/** A prompt that no rule recognizes (`unknown`): never answered automatically, and raised late, only with evidence that the tool waits. */
import type { ToolState } from "../../../model/tool-state.js";
import { CONFIDENCE_FLOOR } from "../../../model/prompt.js";
import type { Candidate } from "../../../sdk/candidate.js";
import type { Signals } from "../../../sdk/view.js";
import type { CompiledAdapter } from "../../adapter-format/compiled/compiled.js";
import { contentText } from "../layout/content.js";
import { ANY_LIST, anyListCandidate } from "./any-list.js";
import type { Detection } from "../detection.js";
import { drawnRows, drawnText } from "../layout/drawn-rows.js";
import { computeFingerprint } from "../layout/fingerprint.js";
import { isBlank, isSeparator, lastDrawn, sizeOf, textAt, type Page } from "../layout/layout.js";
import { showsAnyState } from "../states.js";
import { findDrawnMenu } from "../shapes/drawn-menu.js";
import { findWaitingLine } from "../shapes/waiting-line.js";

/**
 * The tool declares that it is blocked but shows its input box: it announces a dialog, or holds it back while somebody types. After
 * this long nobody is typing.
 */
const HELD_BACK_MS = 60_000;
/** A list that no rule of an agent describes is still for this long once it is drawn whole. */
export const ANY_LIST_MS = 1500;
/** An agent's screen that shows neither working nor idle for this long waits for somebody. */
export const UNRECOGNIZED_SCREEN_MS = 5000;
/** The default of `stuck_timeout_seconds`, where the tool declares that it is blocked, or the kernel confirms that it reads. */
export const STUCK_TIMEOUT_MS = 2000;

const UNREAD = "unread";
/** The shape of a menu drawn by an unknown program. */
export const UNRECOGNIZED_MENU = "unrecognized_menu";

export function detectUnrecognized(
  adapter: CompiledAdapter,
  page: Page,
  signals: Signals,
  state: ToolState | null,
  stuckTimeoutMs: number,
): Detection | null {
  const stableMs = computeWaitMs(adapter, page, signals, state, stuckTimeoutMs);
  if (stableMs === null || lastDrawn(page) < 0) return null;
  const isMenu = adapter.unread === "line" && showsMenu(adapter, page, signals);
  const list = adapter.unread === "screen" || isMenu ? anyListCandidate(page) : null;
  // A program without an adapter may draw a list to look around in, so its list waits as long as any menu.
  if (list) return { candidate: list, state, stableMs: isMenu ? stableMs : Math.min(stableMs, ANY_LIST_MS) };
  return { candidate: makeCandidate(page, isMenu ? UNRECOGNIZED_MENU : UNREAD), state, stableMs };
}

/** Whether no rule of the tool's adapter file describes the candidate: it may be a picture between two others. */
export function isUnrecognized({ promptType, rule }: Candidate): boolean {
  return promptType === "unknown" || rule === ANY_LIST;
}

/** The tool itself declares that it waits for somebody. */
export function isDeclaredBlocked({ declared }: Signals): boolean {
  return declared?.state === "blocked";
}

/** How long the screen must stay unchanged to count, or null when it needs no attention. */
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
  const isPassive = signals.foreground !== undefined && adapter.passivePrograms.includes(signals.foreground);
  // A line without echo is a password, which is never typed remotely.
  const waits =
    signals.canonical === true && signals.echo !== false && signals.blockedOnRead === true && !isPassive;
  const line = waits ? findWaitingLine(page, signals) : null;
  return line && line.row === page.cursor.row ? stuckTimeoutMs : null;
}

/** Whether the foreground program takes single keys and shows a menu. It must be quiet, since only then the facts of the tty are known. */
function showsMenu(
  { passivePrograms, noMenus }: CompiledAdapter,
  page: Page,
  { canonical, echo, blockedOnRead, foreground }: Signals,
): boolean {
  if (canonical !== false || echo === true || blockedOnRead === false || foreground === undefined)
    return false;
  return ![...passivePrograms, ...noMenus].includes(foreground) && findDrawnMenu(page) !== null;
}

/** The candidate holds the lower part of the screen. There may be more than is drawn, so its content always counts as cut. */
function makeCandidate(page: Page, shape: string): Candidate {
  const bottom = lastDrawn(page);
  const top = findLowerPart(page, bottom);
  const rows = page.rows.slice(top, bottom + 1).map(({ text }) => text);
  const drawn = drawnText(drawnRows(page, top, bottom).map(withoutMotion));
  const content = { text: contentText(rows, page.cols), cut: {} };
  const known = {
    rule: "unread",
    question: textAt(page, findHeadline(page, top, bottom)).trim(),
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
    fingerprint: computeFingerprint({ ...known, question: "" }),
    committingKeys: ["\r", "\u001b"],
    endsTool: [],
  };
}

/** Fewer rows below a separator are an input box or a status line, no dialog. */
const DIALOG_ROWS_MIN = 3;

/** Dialogs are drawn below a separator; without one the whole screen counts. */
function findLowerPart(page: Page, bottom: number): number {
  let drawn = 0;
  for (let row = bottom; row >= 0; row--) {
    const text = textAt(page, row);
    if (!isSeparator(text)) drawn += isBlank(text) ? 0 : 1;
    else if (drawn >= DIALOG_ROWS_MIN) return row + 1;
  }
  return 0;
}

/** The question of a line program is its last line; that of a drawn dialog is its first. */
function findHeadline(page: Page, top: number, bottom: number): number {
  if (!page.view.modes.alternateScreen && page.cursor.row === bottom) return bottom;
  let row = top;
  while (row < bottom && (isBlank(textAt(page, row)) || isSeparator(textAt(page, row)))) row++;
  return row;
}

/** Times and amounts that grow while a tool works: `(12s`, `0:42`, `3.4k tokens`, `17%`. */
const COUNTERS =
  /\d{1,9}(?:[.,]\d{1,9})?(?=(?:ms|[smh]|%| ?(?:sec|min|k? ?tokens))(?![\p{L}\p{N}]))|\d{1,2}:\d\d/gu;

/** Removes what blinks, spins and counts: a sign on its own, a time, an amount. */
function withoutMotion(text: string): string {
  return text.replace(/(?<!\S)[●○◯•◐◑◒◓·✢*✶✻✽\u2800-\u28ff](?!\S)/gu, " ").replace(COUNTERS, "0");
}
