/** What a key changed on a screen that no rule reads, for the person who pressed it. Pure. */
import type { View, ViewLine } from "../../../sdk/view.js";
import { pause, type TerminalPort } from "../terminal-port.js";
import { findNewRows } from "../screen-match.js";
import type { AnswerTimings } from "../timings.js";
import { describeCursor, describeGround, withoutMotion } from "../../detection/layout/looks.js";

/** Waits a limited time until the screen is still. Null: nothing changed; undefined: the tool has ended, or the screen cannot be followed. */
export async function awaitChange(
  port: TerminalPort,
  before: View,
  { changeQuietMs, settleWithinMs }: AnswerTimings,
): Promise<string | null | undefined> {
  const { clock } = port;
  const end = clock.monotonic() + settleWithinMs;
  let frame = -1;
  while (frame !== port.view().frame && clock.monotonic() < end && port.isAlive()) {
    frame = port.view().frame;
    await pause(clock, changeQuietMs);
  }
  const now = port.view();
  if (!port.isAlive() || now.unfollowed) return undefined;
  return findChange(before, now)?.join("\n") ?? null;
}

/** People also get a picture of the screen. */
const ROWS_MAX = 4;

/** The rows that look different now, top to bottom. Empty: rows only left the screen. Null: at most spinners and clocks changed. */
export function findChange(before: View, now: View): readonly string[] | null {
  const [old, texts] = [listTexts(before), listTexts(now)];
  const fresh = findNewRows(old, texts);
  if (fresh.length > 0) return fresh.slice(0, ROWS_MAX);
  if (findNewRows(texts, old).length > 0) return [];
  const restyled = now.lines.filter((line, at) => describeStyles(line) !== describeStyles(before.lines[at]));
  if (restyled.length === 0 && describeCursor(before) === describeCursor(now)) return null;
  const marked = restyled.filter((line) => describeGround(line) !== "");
  const atCursor = now.lines.slice(now.cursor.y, now.cursor.y + 1);
  const shown = [marked, restyled, atCursor].find((rows) => rows.length > 0) ?? [];
  return shown
    .map(({ text }) => text.trim())
    .filter((text) => text !== "")
    .slice(0, ROWS_MAX);
}

/** Rows that changed their place only, as text that scrolls, are the same. */
function listTexts({ lines }: View): readonly string[] {
  return lines.map(({ text }) => withoutMotion(text).trim()).filter((text) => text !== "");
}

function describeStyles(line: ViewLine | undefined): string {
  return JSON.stringify(line?.runs().map(({ start, end, style }) => [start, end, style]) ?? []);
}
