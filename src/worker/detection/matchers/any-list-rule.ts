/** How a list or a row of buttons that no rule describes is read and named, and what its words say of its choices. */
import { CONFIDENCE_FLOOR } from "../../../model/prompt.js";
import type { CompiledRule, ListParameters } from "../../adapter-format/compiled/compiled.js";

export const ANY_LIST = "any_list";
export const ANY_BUTTONS = "any_buttons";

/** Signs that tools draw before the row that Enter takes. A dash or a plain bullet marks every row of a text. */
const MARKS = ["❯", "›", ">", "→", "➜", "➤", "▶", "▸", "►", "◆", "◉", "●", "»", "☛", "*"];
/** In the place of the mark on the other rows. */
export const UNMARKED = ["○", "◯", "◇", "·"];
/** Signs that fill a circle, which also begin paragraphs, and mark the one row of several that counts. */
export const ROUND_TICKS: readonly string[] = [
  "◉",
  "●",
  "(•)",
  "(●)",
  "(*)",
  "(x)",
  "◯",
  "○",
  "( )",
  "(○)",
  "⬢",
  "⬡",
];

export const LIST: ListParameters = {
  glyphs: MARKS,
  marks: ["glyph"],
  unmarked: UNMARKED,
  chosen: [],
  chosenBehind: ["✓", "✔"],
  ticks: {
    ticked: [
      "[x]",
      "[X]",
      "[✓]",
      "[✔]",
      "[*]",
      "[•]",
      "☑",
      "☒",
      "◼",
      "■",
      "◉",
      "●",
      "(•)",
      "(●)",
      "(*)",
      "(x)",
      "⬢",
    ],
    unticked: ["[ ]", "☐", "◻", "□", "◯", "○", "( )", "(○)", "⬡"],
  },
  skip: [],
  ends: [
    "(?i)^(?:[^\\p{L}\\p{N}]{0,3}|press |use )(?:enter|return|esc|escape|tab|space|ctrl|shift|[↑↓←→]|arrows?)\\W.{0,40}\\b(?:to|select|confirm|cancel|navigate|toggle)\\b",
    "(?i)\\b(?:enter|return|esc) to (?:submit|select|confirm|cancel|choose|continue|go back)\\b",
    "^[↑↓▲▼]",
    // How many rows are not drawn; the arrow before it stands in the column of the marks.
    "(?i)^[0-9]{1,4} more(?: \\w{1,10})?$",
  ],
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
  more: ["^[↑↓▲▼…]", "(?i)^\\(?[0-9]{1,4} more"],
  last: null,
  fields: "none",
};

/** A row of their own below a list with ticks submits it. Words that end a label begin small. */
export const BUTTONS: readonly string[] = [
  "^[^\\p{L}]{0,3}(?:Submit|Done|Continue|Next|Confirm|Finish|Apply|Save|OK|\\p{Lu}\\p{L}{1,20} selected)[^\\p{L}]{0,3}$",
];

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
  top: "^[ │┃]{0,8}[─━═▔▁]{8}",
  start: null,
  queue: null,
  footer: [],
  field: null,
  tail: null,
  cut: [],
  content: "body",
  choices: [
    {
      label:
        "(?i)\\b(?:always|don.?t ask|do not ask|(?:this|the) session|remember|auto mode|auto-accept|all future)\\b",
      intent: "allow_always",
      endsTool: false,
    },
    {
      label: "(?i)^(?:no|deny|reject|decline|cancel|refuse|abort|don.?t|continue without)\\b",
      intent: "reject_once",
      endsTool: false,
    },
    {
      label: "(?i)^(?:yes|allow|approve|accept|proceed|continue|ok)\\b",
      intent: "allow_once",
      endsTool: false,
    },
  ],
  ifHidden: null,
  answer: "arrows",
  checkList: null,
  textMax: 0,
  stableMs: 0,
  dropsKeysMs: 0,
};

export const ANY_BUTTONS_RULE: CompiledRule = {
  ...ANY_LIST_RULE,
  name: ANY_BUTTONS,
  shape: "buttons",
  list: null,
  buttons: "ground",
  choices: [...ANY_LIST_RULE.choices, { label: "(?i)^confirm\\b", intent: "allow_once", endsTool: false }],
};
