/** A question that no rule reads (design §6 `unknown`): never automatic, raised late, and only on good grounds. */
import type { ToolState } from "../../model/tool-state.js";
import { CONFIDENCE_FLOOR } from "../../model/prompt.js";
import type { Candidate } from "../../sdk/candidate.js";
import type { Signals } from "../../sdk/view.js";
import type { CompiledAdapter } from "./compiled.js";
import { contentText } from "./content.js";
import type { Detection } from "./detect.js";
import { fingerprintOf } from "./fingerprint.js";
import { isSeparator, lastDrawn, textAt, type Page } from "./layout.js";
import { waitingLine } from "./shapes/waiting-line.js";

/** An agent's screen that is neither working nor idle for so long waits for somebody. */
const UNREAD_SCREEN_MS = 5000;
/** The tool itself says that it is blocked, or the kernel says that it reads: the seed's `stuck_timeout_seconds`. */
export const STUCK_TIMEOUT_MS = 2000;

export function unreadDetection(
  adapter: CompiledAdapter,
  page: Page,
  signals: Signals,
  state: ToolState | null,
  stuckTimeoutMs: number,
): Detection | null {
  const stableMs = unreadAfter(adapter, page, signals, state, stuckTimeoutMs);
  if (stableMs === null || lastDrawn(page) < 0) return null;
  return { candidate: unreadCandidate(page), state: null, stableMs };
}

/** How long the screen must stand still to count, or null when there is nothing unread. */
function unreadAfter(
  adapter: CompiledAdapter,
  page: Page,
  signals: Signals,
  state: ToolState | null,
  stuckTimeoutMs: number,
): number | null {
  if (adapter.unread === "none" || state !== null) return null;
  if (signals.declared?.state === "blocked") return stuckTimeoutMs;
  if (adapter.unread === "screen") return UNREAD_SCREEN_MS;
  const isPassive = signals.foreground !== undefined && adapter.passivePrograms.includes(signals.foreground);
  const waits = signals.canonical === true && signals.blockedOnRead === true && !isPassive;
  const line = waits ? waitingLine(page, signals) : null;
  return line && line.row === page.cursor.row ? stuckTimeoutMs : null;
}

/** All of the screen's lower part: nobody knows what matters. It may be more than is drawn, so it never counts as whole. */
function unreadCandidate(page: Page): Candidate {
  const bottom = lastDrawn(page);
  const top = lowerPart(page, bottom);
  const rows = page.rows.slice(top, bottom + 1).map(({ text }) => text);
  const content = { text: contentText(rows, page.cols), cut: {} };
  const known = { rule: "unread", question: textAt(page, bottom).trim(), choices: [], content };
  return {
    ...known,
    shape: "unread",
    promptType: "unknown",
    safetyClass: "permission",
    score: CONFIDENCE_FLOOR.low,
    highlighted: null,
    constraints: {},
    region: { top: page.rows[top]?.first ?? 0, bottom: page.rows[bottom]?.last ?? 0 },
    fingerprint: fingerprintOf({ ...known, content: { text: steady(content.text) } }),
    committingKeys: ["\r", "\u001b"],
    endsTool: [],
  };
}

/** Dialogs stand below a line; without one it is the whole screen. */
function lowerPart(page: Page, bottom: number): number {
  for (let row = bottom - 1; row > 0; row--) if (isSeparator(textAt(page, row))) return row + 1;
  return 0;
}

/** Without what blinks, turns and counts. */
function steady(text: string): string {
  return text.replace(/[\d●○◯•◐◑◒◓·✢*✶✻✽\u2800-\u28ff]/gu, "");
}
