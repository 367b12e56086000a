/** What an adapter file says about a list: how its marked row is known, how its rows are read, what proves that it is live. */
import * as v from "valibot";
import { pattern } from "./file-parts.js";

/** How the highlighted row differs from the others: a glyph before it, its style, or (`cursor`) the cursor on it. */
const MARKS = ["glyph", "cursor", "underline", "bright", "background"] as const;
export type MarkKind = (typeof MARKS)[number];

/**
 * The proof that a list takes input. `cursor`: it is on the marked row. `parked`: hidden, at the left edge below the drawing.
 * `hidden`: hidden, right behind the text of some row or below the drawing. `asked`: behind the question, the list right below.
 * `below`: visible, behind the last row, the list above. `button`: on a row of buttons below the list. `entry`: visible, in the
 * text field that the marked row has opened below everything, behind a glyph of the list. `highlight`: hidden, and the row is
 * drawn unlike all others.
 */
const LIVE_PROOFS = ["cursor", "parked", "hidden", "asked", "below", "button", "entry", "highlight"] as const;
export type LiveProof = (typeof LIVE_PROOFS)[number];

const character = v.pipe(v.string(), v.length(1));
const box = v.pipe(v.string(), v.minLength(1), v.maxLength(3));

/** Tick boxes. A sign in both lists counts while it is not faint; a blank means: no sign at all. */
const ticks = v.strictObject({
  /** Signs of a ticked row. */
  ticked: v.array(box),
  /** Signs of one that is not. */
  unticked: v.array(box),
});
const SQUARE_BOXES = { ticked: ["[x]", "[X]", "[✓]", "[✔]", "[*]"], unticked: ["[ ]"] };

export const list = v.strictObject({
  /** Glyphs that mark the highlighted row; several tools or versions may use several. Without any the drawing alone shows it. */
  glyphs: v.optional(v.array(character), []),
  /** What sets the highlighted row off; `bright`: the others are faint. Leave it and `glyphs` out where only `live: [highlight]` tells. */
  marks: v.optional(v.pipe(v.array(v.picklist(MARKS)), v.minLength(1)), ["glyph"]),
  /** Glyphs in the mark's place on the other rows. */
  unmarked: v.optional(v.array(character), []),
  /** Glyphs in the mark's place on the one row that counts already, unless it is the marked one. */
  chosen: v.optional(v.array(character), []),
  /** Signs behind the label of a row that counts already. */
  chosen_behind: v.optional(v.array(character), []),
  /** Tick boxes of a `check_list` or `radio_list`. The same sign in both counts unless it is faint. */
  ticks: v.optional(ticks, SQUARE_BOXES),
  /** Whether rows begin with numbers, written `1.` or `1)`. They are no part of the label. */
  numbers: v.optional(v.picklist(["required", "none", "either"]), "either"),
  /**
   * What proves that the list takes input: the cursor on the marked row (`cursor`), hidden at the left edge below everything (`parked`),
   * hidden behind some row or below (`hidden`), behind the question right above (`asked`), behind the last row (`below`), on a button below
   * (`button`), in the text field that the marked row has opened (`entry`); or it is hidden and the row is drawn unlike all others
   * (`highlight`).
   */
  live: v.optional(v.pipe(v.array(v.picklist(LIVE_PROOFS)), v.minLength(1)), ["cursor"]),
  /** Rows among the choices that are none: headings of groups, what cannot be taken now. */
  skip: v.optional(v.array(pattern), []),
  /** A scroll bar at the right end of a row. */
  edge: v.optional(pattern),
  /** The marked row ends in a faint explanation, or a faint row below it explains it. */
  faint: v.optional(v.boolean(), false),
  /** Text below the list explains the marked row. */
  note: v.optional(v.boolean(), false),
  /** Only the marked row has a colour of its own: coloured text beside the other rows is no part of the list. */
  plain: v.optional(v.boolean(), false),
  /** Where the second lines of choices stand: below their labels, or beside them in a column of their own. `none`: labels only. */
  details: v.optional(v.picklist(["below", "beside", "none"]), "below"),
  /** Blank rows may stand between its rows, and their text may go on at the left edge. */
  loose: v.optional(v.boolean(), false),
  /** Rows of it, above or below it that say that more rows are not drawn. Such a prompt counts as cut. */
  more: v.optional(v.array(pattern), []),
  /** The label that always ends the list. */
  last: v.optional(pattern),
  /** A label that fills its row continues at the left edge of the next one. */
  wraps: v.optional(v.boolean(), false),
  /** `up`: drawn from the bottom, the first choice is the lowest. */
  order: v.optional(v.picklist(["down", "up"]), "down"),
  /** Fewer rows are no list. */
  rows_min: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(9)), 2),
  /** With `highlight`: a text field opens in the highlighted row, and the tool's cursor in its text says so. */
  fields: v.optional(v.picklist(["none", "shown", "hidden"]), "none"),
  /** Rows below a choice that are buttons, not its second line. */
  buttons: v.optional(v.array(pattern), []),
  /** Rows further down that can be highlighted like the others, but show no number. */
  extra: v.optional(v.array(pattern), []),
});
