/** How a list or a row of buttons that no rule describes is read and named, and what its words say of its choices. */
import { CONFIDENCE_FLOOR } from "../../../model/prompt.js";
import type { CompiledChoice, CompiledRule, ListParameters } from "../../adapter-format/compiled/compiled.js";

export const ANY_LIST = "any_list";
export const ANY_BUTTONS = "any_buttons";

/** Boxes to tick, in shapes that always mean a tick box. */
export const BOXES = {
  ticked: "[x],[X],[✓],[✔],[*],[•],☑,☒,◼,■".split(","),
  unticked: "[ ],☐,◻,□".split(","),
};
/** Signs that fill a circle, which also begin paragraphs, and mark the one row of several that counts. */
const ROUND_TICKED = "◉,●,(•),(●),(*),(x),⬢".split(",");
const ROUND_UNTICKED = "◯,○,( ),(○),⬡".split(",");

export const LIST: ListParameters = {
  // Signs that tools draw before the row that Enter takes. A dash or a plain bullet marks every row of a text.
  glyphs: [..."❯›>→➜➤▶▸►◆◉●»☛*"],
  // In the place of the mark on the other rows.
  unmarked: [..."○◯◇·"],
  chosen: [],
  chosenBehind: ["✓", "✔"],
  marks: ["glyph"],
  ticks: {
    ticked: [...BOXES.ticked, ...ROUND_TICKED],
    unticked: [...BOXES.unticked, ...ROUND_UNTICKED],
  },
  ends: [
    "(?i)^(?:[^\\p{L}\\p{N}]{0,3}|press |use )(?:enter|return|esc|escape|tab|space|ctrl|shift|[↑↓←→]|arrows?)\\W.{0,40}\\b(?:to|select|confirm|cancel|navigate|toggle)\\b",
    "(?i)\\b(?:enter|return|esc) to (?:submit|select|confirm|cancel|choose|continue|go back)\\b",
    "^[↑↓▲▼]",
    // The number of rows that are not drawn; the arrow before it is in the column of the marks.
    "(?i)^[0-9]{1,4} more(?: \\w{1,10})?$",
  ],
  skip: [],
  edge: null,
  faint: false,
  note: false,
  plain: false,
  wraps: true,
  order: "down",
  rowsMin: 2,
  numbers: "either",
  live: ["cursor"],
  buttons: [],
  extra: [],
  details: "below",
  loose: false,
  last: null,
  fields: "none",
  more: ["^[↑↓▲▼…]", "(?i)^\\(?[0-9]{1,4} more"],
};

/** A row of their own below a list with ticks submits it. Words that end a label begin small. */
export const BUTTONS: readonly string[] = [
  "^[^\\p{L}]{0,3}(?:Submit|Done|Continue|Next|Confirm|Finish|Apply|Save|OK|\\p{Lu}\\p{L}{1,20} selected)[^\\p{L}]{0,3}$",
];

const choose = (label: string, intent: CompiledChoice["intent"]): CompiledChoice => {
  return { label: `(?i)${label}`, intent, endsTool: false };
};

/** It has the lowest score, which no policy answers. */
export const ANY_LIST_RULE: CompiledRule = {
  name: ANY_LIST,
  shape: "list",
  safetyClass: "permission",
  fitsAnyMenu: false,
  hasTitleAboveLine: false,
  promptType: "multiple_choice",
  score: CONFIDENCE_FLOOR.low,
  question: null,
  requires: [],
  forbids: [],
  list: LIST,
  frame: null,
  tty: null,
  readsInside: false,
  programs: [],
  header: null,
  buttons: null,
  entry: [],
  clear: null,
  start: null,
  queue: null,
  footer: [],
  field: null,
  tail: null,
  cut: [],
  content: "body",
  ifHidden: null,
  answer: "arrows",
  checkList: null,
  textMax: 0,
  stableMs: 0,
  dropsKeysMs: 0,
  top: "^[ │┃]{0,8}[─━═▔▁]{8}",
  choices: [
    choose(
      "\\b(?:always|don.?t ask|do not ask|(?:this|the) session|remember|auto mode|auto-accept|all future)\\b",
      "allow_always",
    ),
    choose("^(?:no|deny|reject|decline|cancel|refuse|abort|don.?t|continue without)\\b", "reject_once"),
    choose("^(?:yes|allow|approve|accept|proceed|continue|ok)\\b", "allow_once"),
  ],
};

export const ANY_BUTTONS_RULE: CompiledRule = {
  ...ANY_LIST_RULE,
  name: ANY_BUTTONS,
  shape: "buttons",
  list: null,
  buttons: "ground",
  choices: [...ANY_LIST_RULE.choices, choose("^confirm\\b", "allow_once")],
};
