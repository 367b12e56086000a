/** How a list or a row of buttons that no rule describes is read and named, and what its words say of its choices. */
import { BARE_LIST, BARE_RULE } from "../../adapter-format/compiled/bare-rule.js";
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
  ...BARE_LIST,
  // Signs that tools draw before the row that Enter takes. A dash or a plain bullet marks every row of a text.
  glyphs: [..."❯›>→➜➤▶▸►◆◉●»☛*"],
  // In the place of the mark on the other rows.
  unmarked: [..."○◯◇·"],
  chosenBehind: ["✓", "✔"],
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
  wraps: true,
  more: ["^[↑↓▲▼…]", "(?i)^\\(?[0-9]{1,4} more"],
};

/** A row of their own below a list with ticks submits it. Words that end a label begin small. */
export const BUTTONS: readonly string[] = [
  "^[^\\p{L}]{0,3}(?:Submit|Done|Continue|Next|Confirm|Finish|Apply|Save|OK|\\p{Lu}\\p{L}{1,20} selected)[^\\p{L}]{0,3}$",
];

const choose = (label: string, intent: CompiledChoice["intent"]): CompiledChoice => {
  return { label: `(?i)${label}`, intent, endsTool: false };
};

export const ANY_LIST_RULE: CompiledRule = {
  ...BARE_RULE,
  name: ANY_LIST,
  shape: "list",
  list: LIST,
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
