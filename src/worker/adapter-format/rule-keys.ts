/** What a rule of an adapter file may say: how a dialog is known on the screen, what its parts mean, how it is answered. */
import * as v from "valibot";
import { CHOICE_INTENTS, SAFETY_CLASSES } from "../../model/prompt.js";
import { FRAMES } from "./frame-kinds.js";
import { list } from "./list-keys.js";
import { line, ms, pattern } from "./file-parts.js";
import { keyName } from "./key-names.js";

/** The name of a tool or a rule. */
export const name = v.pipe(
  v.string(),
  v.regex(/^[a-z][a-z0-9_-]{0,39}$/, "expected a lower-case word of at most 40 characters"),
);

/** `HIGH`, `medium` … or a number of 0.60 and above; below that a rule could never raise anything. */
const confidence = v.union([
  v.pipe(v.number(), v.minValue(0.6), v.maxValue(1)),
  v.pipe(v.string(), v.toLowerCase(), v.picklist(["high", "medium", "med", "low"])),
]);

const SHAPES = [
  "list",
  "check_list",
  "page",
  "field",
  "confirm",
  "yes_no",
  "press_enter",
  "line",
  "line_menu",
  "secret",
  "radio_list",
  "buttons",
] as const;
export type Shape = (typeof SHAPES)[number];

/** How choices that stand side by side are drawn. */
const BUTTONS = ["angle", "slash", "ground", "letters"] as const;
export type ButtonKind = (typeof BUTTONS)[number];

/** Where text is typed in a drawn question: behind it, on the row below it, behind a label, or on the cursor's row in a box. */
const ENTRIES = ["header", "below", "label", "cursor"] as const;
export type EntryPlace = (typeof ENTRIES)[number];

export const choice = v.strictObject({
  /** What the label says. The first choice that fits a row counts. */
  label: pattern,
  /** What choosing it does. */
  intent: v.picklist(CHOICE_INTENTS),
  /** Whether words may, or must, go with it. */
  takes_text: v.optional(v.picklist(["optional", "required"])),
  /** Keys that open the row's text field once it is highlighted; without them being highlighted is enough. */
  text_keys: v.optional(v.array(keyName)),
  /** Takes the choice without a text where its own key only opens the field. */
  key: v.optional(keyName),
  /** The row has no field: the words follow in the tool's composer, once the choice was taken and has brought it back (a No that ends the turn). */
  text_to: v.optional(v.literal("composer")),
  /** The tool is expected to end when this choice is taken. */
  ends_tool: v.optional(v.boolean(), false),
});

export const ruleKeys = {
  /**
   * Dialogs: `list`, `check_list` (rows with tick boxes), `radio_list` (one row is ticked), `buttons` (side by side), `field`
   * (text), `confirm` (only wants Enter), `page` (known by its top line, header or window). Lines: `yes_no`, `press_enter`,
   * `line` (free text), `line_menu` (`1) … Enter choice:`, `[y,n,q]`), `secret`.
   */
  shape: v.optional(v.picklist(SHAPES)),
  /** The safety class: how much is at risk. A `user_menu` is a menu that the user opens; it is never relayed. */
  class: v.optional(v.picklist(SAFETY_CLASSES)),
  /** 0.60 to 1, or `HIGH` (0.85), `MED` (0.65), `LOW` (0.60). No rule answers a prompt below `MED`. */
  confidence: v.optional(confidence),
  /**
   * Class `user_menu`, of a rule that fits any menu: it may as well be a dialog that no rule reads, and is one if the tool says that it is
   * blocked on a question, or if it came up while nobody touched the terminal.
   */
  fits_any_menu: v.optional(v.boolean()),
  /**
   * Above the first drawn line of the dialog are only its title and a description, and never what is run: at another size the
   * tool may wrap them differently. Without this key, a permission that shows other rows after a resize is another prompt.
   */
  title_above_line: v.optional(v.boolean()),
  /** Read on the paragraphs of the dialog, from the list upwards; group 1, or the whole match, is the question. Of line shapes it is read on the last line only. Without it a list takes the paragraph right above it. */
  question: v.optional(pattern),
  /** Rows that the dialog must have. */
  requires: v.optional(v.array(pattern)),
  /** Rows that it must not have. */
  forbids: v.optional(v.array(pattern)),
  /** How its rows are drawn and read. */
  list: v.optional(list),
  /**
   * `raw`: not while the terminal is known to take whole lines, as it does under a program that only printed a dialog. `line`: not while it
   * is known to take single keys.
   */
  tty: v.optional(v.picklist(["raw", "line"])),
  /**
   * Shape `page`: only while a command that the tool runs in a terminal of its own is known to read there (Linux). Its question
   * is in a panel of the tool. People are notified, and it is answered at the terminal only.
   */
  reads_inside: v.optional(v.boolean()),
  /** The rule fits only while one of these programs is in the foreground, passive or not. */
  programs: v.optional(v.array(line)),
  /**
   * Row on which a drawn question begins, such as `? Which one?`. Group 1 is its text; what the tool draws bold in it is the question. A
   * pattern without `^` knows the row right above the list by its end.
   */
  header: v.optional(pattern),
  /**
   * Shape `buttons`: `<Yes> <No>` under the cursor, `Yes / No` behind or below the question (one underlined or with `●`), or labels of `choices` in one row, the
   * chosen one on another `ground`, or `letters`: labels behind the keys that take them at once, `[y] Approve   [n] Deny`.
   */
  buttons: v.optional(v.picklist(BUTTONS)),
  /**
   * Shape `field`, in a drawn question: where the text stands, in order: behind the `header`, `below` it, behind a `label` in the last row, or on
   * the `cursor`'s row in a window.
   */
  entry: v.optional(v.pipe(v.array(v.picklist(ENTRIES)), v.minLength(1))),
  /** Shape `field`: the key that empties it. */
  clear: v.optional(keyName),
  /**
   * What the dialog is drawn in, and read without: a `box`, a `bar` at its left side, beside a `gutter`, in a `window` (the box around the cursor),
   * or left of a scroll bar at the right `edge`.
   */
  frame: v.optional(v.picklist(FRAMES)),
  /** The row above the dialog. Without it and `start` the whole screen (or frame) above is content; of drawn questions (`header`) nothing is. */
  top: v.optional(pattern),
  /** The dialog's first row, which belongs to it. */
  start: v.optional(pattern),
  /** Row above the dialog's frame that counts the dialogs behind it. When it changes after an answer, it is the next dialog, however equal. */
  queue: v.optional(pattern),
  /** The rows that are allowed below the dialog. With any other row there, the rule does not match. */
  footer: v.optional(v.array(pattern)),
  /** Shape `field`: the beginning of the row in which the text stands. The cursor must be in it, except for secrets. */
  field: v.optional(pattern),
  /** Line shapes: rows that may stand between the question and the cursor. */
  tail: v.optional(pattern),
  /** A row that says that part of the content is not drawn; group 1 says how much. */
  cut: v.optional(v.array(pattern)),
  /** The approved content. `body`: the rows above the question; `dialog`: the second lines of the choices, too; `none`. */
  content: v.optional(v.picklist(["body", "dialog", "none"])),
  /** What the rows mean, by their labels. */
  choices: v.optional(v.array(choice)),
  /** Offered where rows of the list are not drawn: a key that works without them. */
  if_hidden: v.optional(
    v.strictObject({
      /** What people see. */
      label: line,
      /** The key that takes it, such as `esc`. */
      key: keyName,
      /** Its effect. */
      intent: v.picklist(CHOICE_INTENTS),
      /** As of a choice: words may follow in the composer. */
      text_to: v.optional(v.literal("composer")),
    }),
  ),
  /**
   * How a choice is taken. Lists: `digit` (arrows where a row shows none), `arrows`, or `line` (number and Enter). `yes_no` and `line_menu`: `line`
   * (the letter or number, and Enter where the tool waits for it), or `key` (a letter or digit that acts at once).
   */
  answer: v.optional(v.picklist(["digit", "arrows", "line", "key"])),
  /** Check lists: the key that ticks the highlighted row where rows have no digit. */
  toggle: v.optional(keyName),
  /** Check lists: the keys that hand it in, once the right rows are ticked, and the rule each must lead to. */
  submit: v.optional(
    v.array(
      v.strictObject({
        /** A key that is pressed. */
        key: keyName,
        /** The rule of the dialog that must then be on the screen. */
        leads_to: v.optional(name),
      }),
    ),
  ),
  /** The longest text that it takes, in characters. */
  text_max: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(4000))),
  /** How long the dialog must be still before it counts; default 100. */
  stable_ms: v.optional(ms),
  /** For how long the tool drops keys after it has drawn the dialog, counted from its `stable_ms`: an answer waits so long. */
  drops_keys_ms: v.optional(ms),
};

export const rule = v.strictObject({
  /** Its name in reports and in `submit.leads_to`. */
  name,
  ...ruleKeys,
});

export type RuleKey = keyof typeof ruleKeys;
export type ChoiceEntry = v.InferOutput<typeof choice>;
