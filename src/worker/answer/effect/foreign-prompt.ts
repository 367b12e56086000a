/** Whether a screen that no rule reads was a prompt, or only a half-drawn picture. Pure. */
import type { ScreenMoment } from "../screen-match.js";
import { isRowHalfDrawn } from "./drawn-over.js";

/** A question, a key to press, or a word for what the key does. A prompt has one of them. */
const ASKS =
  /\?\s*$|[[(<](?:[a-zA-Z]|[yY](?:es)?\s?\/\s?[nN]o?)[\])>]|^\W*[❯›>]\s|\b(?:enter|return|esc|escape|press|type|choose|select|confirm|cancel|continue|proceed|allow|approve|accept|deny|reject|refuse|yes|no)\b/iu;

/** Whether `moment` shows a row that asks something and that neither screen has. A half-drawn picture has only rows and parts of rows of both. */
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
    return !isRowHalfDrawn(old.lines[row]?.text ?? "", text, fresh.lines[row]?.text ?? "");
  });
}

/** Without marks and borders, and with numbers as of one moment: what only counts or moves its mark is the same row. */
function stripSigns(text: string): string {
  return text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "").replace(/\d+/gu, "0");
}
