/** The cells of a screen on the wire. */
import * as v from "valibot";
import { index, text } from "./prompt-event.js";

/** No picture is made of larger screens, because nobody could read it. */
export const PICTURE_COLS_MAX = 400;
export const PICTURE_ROWS_MAX = 200;

const colour = v.nullable(v.union([index, v.pipe(text, v.regex(/^#[0-9a-f]{6}$/))]));

const style = v.strictObject({
  foreground: colour,
  background: colour,
  bold: v.boolean(),
  dim: v.boolean(),
  inverse: v.boolean(),
  underline: v.boolean(),
  invisible: v.boolean(),
  strikethrough: v.boolean(),
});

const run = v.strictObject({ start: index, end: index, text, style });

export const cells = v.strictObject({
  cols: v.pipe(index, v.maxValue(PICTURE_COLS_MAX)),
  rows: v.pipe(index, v.maxValue(PICTURE_ROWS_MAX)),
  cursor: v.nullable(v.strictObject({ x: index, y: index })),
  lines: v.pipe(
    v.array(v.strictObject({ wrapped: v.boolean(), runs: v.pipe(v.array(run), v.readonly()) })),
    v.maxLength(PICTURE_ROWS_MAX),
    v.readonly(),
  ),
});
