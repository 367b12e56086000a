/**
 * The adapter file format, `schema: 1` (docs/how-to/add-an-adapter.md): what may stand in `adapters/<tool>.yaml`. Unknown keys
 * are errors; nothing is silently ignored. `compile-rules.ts` turns a valid file into a `CompiledAdapter`.
 */
import * as v from "valibot";
import { CHOICE_INTENTS, SAFETY_CLASSES } from "../../model/prompt.js";
import { isVersionRange } from "../../model/data/version-range.js";
import { acpSection } from "./acp-file.js";
import { FRAMES } from "./frame-kinds.js";
import { headlessSection } from "./headless-file.js";
import { coattachSection } from "./coattach-file.js";
import { hooksSection } from "./hooks-file.js";
import { list, type LiveProof, type MarkKind } from "./list-keys.js";
import { line, pattern, fitting, ms, rowCount } from "./file-parts.js";
import { keyName } from "./key-names.js";
import { args } from "./placeholders.js";

const name = v.pipe(
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
export type { LiveProof, MarkKind };

/** How choices that stand side by side are drawn. */
const BUTTONS = ["angle", "slash", "ground"] as const;
export type ButtonKind = (typeof BUTTONS)[number];

/** Where text is typed in a drawn question: behind it, on the row below it, behind a label, or on the cursor's row in a box. */
const ENTRIES = ["header", "below", "label", "cursor"] as const;
export type EntryPlace = (typeof ENTRIES)[number];

export const choice = v.strictObject({
  label: pattern,
  intent: v.picklist(CHOICE_INTENTS),
  takes_text: v.optional(v.picklist(["optional", "required"])),
  /** Keys that open the row's text field once it is highlighted; without them being highlighted is enough. */
  text_keys: v.optional(v.array(keyName)),
  /** Takes the choice without a text where its own key only opens the field. */
  key: v.optional(keyName),
  /** The row has no field: the words follow in the tool's composer, once the choice was taken and has brought it back. */
  text_to: v.optional(v.literal("composer")),
  /** The tool is expected to end when this choice is taken. */
  ends_tool: v.optional(v.boolean(), false),
});

export const ruleKeys = {
  shape: v.optional(v.picklist(SHAPES)),
  class: v.optional(v.picklist(SAFETY_CLASSES)),
  confidence: v.optional(confidence),
  /**
   * Class `user_menu`, of a rule that fits any menu: it may as well be a dialog that no rule reads, and is one if the tool says that it is
   * blocked on a question, or if it came up while nobody touched the terminal.
   */
  by_looks: v.optional(v.boolean()),
  /** Read on the paragraphs of the dialog, from the list upwards; group 1, or the whole match, is the question. */
  question: v.optional(pattern),
  /** Some row of the dialog must match, and none may. */
  requires: v.optional(v.array(pattern)),
  forbids: v.optional(v.array(pattern)),
  list: v.optional(list),
  /** `raw`: not while the terminal is known to take lines; `line`: not while it is known to take single keys. */
  tty: v.optional(v.picklist(["raw", "line"])),
  /** Only while a command that the tool runs in a terminal of its own is known to read there: its question stands in a panel of the tool's. */
  reads_inside: v.optional(v.boolean()),
  /** Only while one of these is in the foreground, passive or not. */
  programs: v.optional(v.array(line)),
  /** Row on which a drawn question begins; group 1 is its text. Without `^` it must be the row right above the list. */
  header: v.optional(pattern),
  /**
   * Shape `buttons`: `<Yes> <No>` under the cursor, `Yes / No` behind or below the question, or labels of `choices` in one row, the
   * chosen one on another `ground`.
   */
  buttons: v.optional(v.picklist(BUTTONS)),
  /** Shape `field`, in a drawn question: where it may be, in order; and the key that empties it. */
  entry: v.optional(v.pipe(v.array(v.picklist(ENTRIES)), v.minLength(1))),
  clear: v.optional(keyName),
  /** What the dialog is drawn in: its frame is taken away before it is read. */
  frame: v.optional(v.picklist(FRAMES)),
  /** The row above the dialog; or the dialog's first row. */
  top: v.optional(pattern),
  start: v.optional(pattern),
  /** Row above the dialog's frame that counts the dialogs behind it. */
  queue: v.optional(pattern),
  /** What may stand below the dialog. */
  footer: v.optional(v.array(pattern)),
  /** The beginning of the row in which a text field's text stands. */
  field: v.optional(pattern),
  /** Line shapes: rows that may stand between the question and the cursor. */
  tail: v.optional(pattern),
  /** A row that says that part of the content is not drawn; group 1 says how much. */
  cut: v.optional(v.array(pattern)),
  /** Shape `buttons`: rows between question and buttons that the tool shows at most, without a word that there are more: so many count as cut. */
  cut_rows: v.optional(rowCount),
  /** Where something always stands between question and buttons: how long a dialog that does not say it yet must be still. */
  bare_ms: v.optional(ms),
  /** `body`: what stands above the question; `dialog`: all of it, choices too; `none`. */
  content: v.optional(v.picklist(["body", "dialog", "none"])),
  choices: v.optional(v.array(choice)),
  /** Offered where rows of the list are not drawn: a key that works without them. */
  if_hidden: v.optional(
    v.strictObject({
      label: line,
      key: keyName,
      intent: v.picklist(CHOICE_INTENTS),
      /** As of a choice: words may follow in the composer. */
      text_to: v.optional(v.literal("composer")),
    }),
  ),
  /** How a choice is taken: `digit` (arrows where a row shows none), `arrows`, or `line` (number and Enter). `key`: the letter alone. */
  answer: v.optional(v.picklist(["digit", "arrows", "line", "key"])),
  /** Check lists: the key that ticks the highlighted row where rows have no digit. */
  toggle: v.optional(keyName),
  /** Check lists: the keys that hand it in, once the right rows are ticked, and the rule each must lead to. */
  submit: v.optional(v.array(v.strictObject({ key: keyName, leads_to: v.optional(name) }))),
  text_max: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(4000))),
  stable_ms: v.optional(ms),
  /** For tools that lay out in several steps what does not fit: how long that must be still, and when it is in doubt. */
  fitting: v.optional(fitting),
  /** How long the tool may drop keys that come too soon after the dialog, counted from its `stable_ms`. */
  deaf_ms: v.optional(ms),
  /** Shape `buttons`, of a dialog over another: for how long the answered one may be drawn again before the tool is done with both. */
  reveals_ms: v.optional(ms),
};

const rule = v.strictObject({ name, ...ruleKeys });
const defaults = v.strictObject(ruleKeys);

const statePattern = v.union([
  pattern,
  v.strictObject({
    pattern,
    /** Only the lowest this many rows that are not blank. */
    rows: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(60))),
    /**
     * `cursor`: only the row that ends at the cursor, while nothing is known to run. `composer`: only the first row of the input box
     * (`composer:`), while the terminal's cursor is visible inside it.
     */
    at: v.optional(v.picklist(["cursor", "composer"])),
  }),
]);

const asking = v.strictObject({
  /** Arguments that make the tool ask, offered when the user gave none of `options`. */
  args,
  /** The option whose value decides, and the values with which the tool asks. */
  option: v.optional(line),
  asks: v.optional(v.array(line), []),
  never_asks_flags: v.optional(v.array(line), []),
  /** Told to the user when the tool will not ask. */
  note: line,
});

const INTERRUPTS = ["esc", "ctrl-c"] as const;
export type InterruptKey = (typeof INTERRUPTS)[number];
const interruptKey = v.picklist(INTERRUPTS);

export const agentFile = v.strictObject({
  schema: v.literal(1),
  name,
  version: v.pipe(v.string(), v.regex(/^\d+\.\d+\.\d+$/, "expected a version such as 1.2.3")),
  description: line,
  family: v.literal("agent"),
  /** Versions of the tool that the rules were made for; `doctor` compares them with the installed one. */
  supported_versions: v.optional(
    v.pipe(v.string(), v.check(isVersionRange, "expected comparisons such as >=2.0.76 <3")),
  ),
  /** `false`: made from what is public about the tool; nobody has recorded it yet. */
  tested: v.optional(v.boolean(), true),
  aliases: v.optional(v.array(name), []),
  process: v.strictObject({
    executable: v.optional(line),
    executable_candidates: v.optional(v.array(line)),
    env: v.optional(v.record(v.string(), v.string()), {}),
  }),
  /** What the tool says of itself besides what it draws. Without it, or with `false`, nothing of that is believed. */
  signals: v.optional(
    v.union([
      v.literal(false),
      v.strictObject({
        /** It reports its state by OSC 7501 under this name. */
        program_status: v.optional(line),
      }),
    ]),
  ),
  hooks: v.optional(hooksSection),
  /** How it is joined while it runs in its own terminal. */
  coattach: v.optional(coattachSection),
  /** How to start it as an agent of the Agent Client Protocol. */
  acp: v.optional(acpSection),
  /** How to run it without its interface (`atlasbridge exec`). */
  headless: v.optional(headlessSection),
  states: v.optional(
    v.strictObject({
      working: v.optional(v.array(statePattern), []),
      /** A question is coming that is not drawn yet. */
      waiting: v.optional(v.array(statePattern), []),
      idle: v.optional(v.array(statePattern), []),
    }),
  ),
  /** Where its last answer stands once it is idle, between the person's words and the row that an `idle` pattern finds. */
  last_answer: v.optional(
    v.strictObject({
      /** The beginning of the row in which the person's own words are repeated. */
      asked: pattern,
      /** The mark before each of its answers; what stands before the last one is left out. */
      begins: pattern,
      /** The first row behind an answer. */
      ends: pattern,
      /** Rows that are no part of it. */
      drop: v.optional(v.array(pattern), []),
      /** Only while its mark is drawn: what stands there without one may be a start-up page. */
      marked: v.optional(v.boolean(), false),
    }),
  ),
  /** Where it takes its next task. Without it nobody can give it one from afar. */
  composer: v.optional(
    v.strictObject({
      /** What it is drawn behind, its text between two blank rows, then `below`; `row` is where the text begins, the frame included. */
      frame: v.optional(v.literal("bar")),
      /** The beginning of its first row, up to where the text begins; the lowest such row counts. */
      row: pattern,
      /** The row right below it while it holds a single line; the lowest such row is where it ends. */
      below: pattern,
      /** Colours (of the palette) in which the tool draws what it suggests in an empty one, besides grey and faint. */
      faint: v.optional(v.array(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(255))), []),
    }),
  ),
  /**
   * For tools with an input box: whole texts, in any case, that are commands there though they begin as words do (`exit`). Neither
   * they nor what begins with another sign (`/`, `!`) is ever typed into it.
   */
  commands: v.optional(v.array(v.pipe(v.string(), v.trim(), v.nonEmpty(), v.toLowerCase()))),
  /**
   * The key that stops what the tool is doing, and nothing else; two where it wants the second to be sure. Without it nobody can
   * stop it from afar.
   */
  interrupt: v.optional(
    v.union([interruptKey, v.pipe(v.array(interruptKey), v.minLength(1), v.maxLength(2))]),
  ),
  asking: v.optional(asking),
  /**
   * What to make of a question that no rule reads: `screen` raises one when the screen shows neither working nor idle, `line`
   * when a program provably waits on a line, `none` leaves it.
   */
  unread: v.optional(v.picklist(["screen", "line", "none"]), "none"),
  /** Programs that wait for keys and ask nothing: while one is in the foreground, no line is a question. */
  passive_programs: v.optional(v.array(line), []),
  /** With `unread: line`: programs that draw lists to look around in, or to complete what somebody types. */
  no_menus: v.optional(v.array(line), []),
  defaults: v.optional(defaults, {}),
  rules: v.array(rule),
});

export type AgentFile = v.InferOutput<typeof agentFile>;
export type RuleEntry = AgentFile["rules"][number];
export type RuleKey = keyof typeof ruleKeys;
export type ChoiceEntry = v.InferOutput<typeof choice>;
export type StateEntry = v.InferOutput<typeof statePattern>;

/** Families and sections of the format whose runtime does not exist yet: refused by name, never silently ignored. */
export const LATER_FAMILIES = ["shell", "repl", "debugger"] as const;
export const LATER_SECTIONS = ["answers", "tests"] as const;
