/** What a key changed on a screen that no rule reads, for the person who pressed it. Pure. */
import type { View, ViewLine } from "../../../sdk/view.js";
import { pause, type TerminalPort } from "../terminal-port.js";
import type { AnswerTimings } from "../timings.js";
import { describeCursor, describeGround, withoutMotion } from "../../detection/layout/looks.js";

/**
 * Waits until the screen is still, but not for long, and reads what it shows then; null: nothing changed; undefined: nobody can tell, because
 * the tool has ended or the screen cannot be followed.
 */
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

/** The picture shows more. */
const ROWS_MAX = 4;

/** The rows that look otherwise now, top to bottom; empty: rows only left the screen; null: nothing changed but what moves by itself. */
export function findChange(before: View, now: View): readonly string[] | null {
  const [old, texts] = [listTexts(before), listTexts(now)];
  const fresh = listNew(old, texts);
  if (fresh.length > 0) return fresh.slice(0, ROWS_MAX);
  if (listNew(texts, old).length > 0) return [];
  const restyled = now.lines.filter((line, at) => describeStyles(line) !== describeStyles(before.lines[at]));
  if (restyled.length === 0 && describeCursor(before) === describeCursor(now)) return null;
  const marked = restyled.filter((line) => describeGround(line) !== "");
  const shown =
    marked.length > 0
      ? marked
      : restyled.length > 0
        ? restyled
        : now.lines.slice(now.cursor.y, now.cursor.y + 1);
  return shown
    .map(({ text }) => text.trim())
    .filter((text) => text !== "")
    .slice(0, ROWS_MAX);
}

/** Rows that changed their place only, as text that scrolls, are the same. */
function listTexts({ lines }: View): readonly string[] {
  return lines.map(({ text }) => withoutMotion(text).trim()).filter((text) => text !== "");
}

/** What stands in `rows` more often than in `before`. */
function listNew(before: readonly string[], rows: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const row of before) left.set(row, (left.get(row) ?? 0) + 1);
  return rows.filter((row) => {
    const count = left.get(row) ?? 0;
    left.set(row, count - 1);
    return count <= 0;
  });
}

function describeStyles(line: ViewLine | undefined): string {
  return JSON.stringify(line?.runs().map(({ start, end, style }) => [start, end, style]) ?? []);
}
