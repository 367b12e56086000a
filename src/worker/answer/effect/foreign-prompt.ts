/** Tells a screen that asks something of its own from a picture between two others, where no rule reads either. Pure. */
import type { ScreenMoment } from "../screen-match.js";
import { isRowDrawnOver } from "./drawn-over.js";

/** A question, a key to press, or a word for what the key does. Without any of it nobody could answer the screen. */
const ASKS =
  /\?\s*$|[[(<](?:[a-zA-Z]|[yY](?:es)?\s?\/\s?[nN]o?)[\])>]|^\W*[❯›>]\s|\b(?:enter|return|esc|escape|press|type|choose|select|confirm|cancel|continue|proceed|allow|approve|accept|deny|reject|refuse|yes|no)\b/iu;

/**
 * Whether `moment` shows a row that asks, and that neither stood before nor stands after. A picture that is half drawn shows rows of
 * both, and the beginnings of rows to come; a screen that came and went shows something of its own.
 */
export function hasForeignPrompt(before: ScreenMoment, moment: ScreenMoment, after: ScreenMoment): boolean {
  const [old, fresh] = [before.view, after.view];
  const drawn = [old, fresh].flatMap(({ lines, scrollback }) => [
    ...scrollback,
    ...lines.map(({ text }) => text),
  ]);
  const known = new Set(drawn.map(stripSigns));
  return moment.view.lines.some(({ text }, row) => {
    if (!ASKS.test(text) || known.has(stripSigns(text))) return false;
    if (fresh.lines.some((line) => line.text.startsWith(text.trimEnd()))) return false;
    return !isRowDrawnOver(old.lines[row]?.text ?? "", text, fresh.lines[row]?.text ?? "");
  });
}

/** Without marks and borders, and with numbers as of one moment: what only counts or moves its mark is the same row. */
function stripSigns(text: string): string {
  return text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "").replace(/\d+/gu, "0");
}
