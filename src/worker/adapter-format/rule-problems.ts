/** What makes no sense in the rules of an adapter file though each key is one: together with their defaults, shape and composer. */
import type { AgentFile, RuleEntry, RuleKey, Shape } from "./adapter-file.js";

export interface AdapterFileProblem {
  /** Keys from the top of the file. */
  readonly at: readonly [string | number, ...(string | number)[]];
  readonly words: string;
}

/** Keys that every shape reads. */
export const COMMON_KEYS: readonly RuleKey[] = [
  "shape",
  "class",
  "confidence",
  "question",
  "requires",
  "forbids",
  "content",
  "stable_ms",
  "tty",
  "programs",
];
const DRAWN: readonly RuleKey[] = ["frame", "header", "footer", "cut", "drops_keys_ms"];
const DIALOG: readonly RuleKey[] = [
  ...DRAWN,
  "queue",
  "list",
  "top",
  "start",
  "choices",
  "if_hidden",
  "answer",
];
const LINE: readonly RuleKey[] = ["tail", "header", "frame"];
/** Keys that a shape reads besides those that every shape reads. `docs/reference/adapter-keys.md` is made from it. */
export const SHAPE_KEYS: Readonly<Record<Shape, readonly RuleKey[]>> = {
  list: [...DIALOG, "fits_any_menu", "title_above_line"],
  check_list: [...DIALOG, "toggle", "submit"],
  radio_list: [...DIALOG, "toggle", "submit"],
  buttons: [...DRAWN, "buttons", "choices", "top", "start"],
  field: [...DRAWN, "field", "entry", "clear", "top", "start", "text_max"],
  page: [...DRAWN, "top", "fits_any_menu", "reads_inside"],
  confirm: [...DRAWN, "top", "start"],
  yes_no: [...LINE, "answer"],
  press_enter: LINE,
  line: [...LINE, "text_max"],
  line_menu: [...LINE, "choices", "answer"],
  secret: LINE,
};

export function isListShape(shape: Shape): boolean {
  return shape === "list" || shape === "check_list" || shape === "radio_list";
}

export function findRuleProblems({ rules, defaults, composer }: AgentFile): readonly AdapterFileProblem[] {
  return rules.flatMap((entry, index) => {
    const isTwin = rules.findIndex(({ name }) => name === entry.name) < index;
    const found = [
      ...(isTwin ? [{ at: ["name"], words: `two rules are named "${entry.name}"` }] : []),
      ...findMissingKeys({ ...defaults, ...entry }),
      ...findMeaninglessKeys(entry, entry.shape ?? defaults.shape),
      ...findMeaninglessAnswer(entry, entry.shape ?? defaults.shape),
      ...findTextWithoutComposer(entry, composer !== undefined),
    ];
    return found.map(({ at, words }): AdapterFileProblem => ({ at: ["rules", index, ...at], words }));
  });
}

interface RuleProblem {
  /** Keys of the rule. */
  readonly at: readonly (string | number)[];
  readonly words: string;
}

function findMissingKeys({ name, shape, class: safetyClass, confidence, list }: RuleEntry): RuleProblem[] {
  const makeProblem = (words: string) => ({
    at: [],
    words: `rule "${name}": ${words}; give it here or in "defaults"`,
  });
  return [
    ...(shape ? [] : [makeProblem('"shape" is missing')]),
    ...(safetyClass ? [] : [makeProblem('"class" is missing')]),
    ...(confidence === undefined ? [makeProblem('"confidence" is missing')] : []),
    ...(shape && isListShape(shape) && !list ? [makeProblem(`shape ${shape} needs "list"`)] : []),
  ];
}

/** A key that its shape would not read does nothing, and that must be said. Defaults are for many shapes. */
function findMeaninglessKeys(entry: RuleEntry, shape: Shape | undefined): RuleProblem[] {
  if (!shape) return [];
  const known = new Set<string>(["name", ...COMMON_KEYS, ...SHAPE_KEYS[shape]]);
  return Object.keys(entry)
    .filter((key) => !known.has(key))
    .map((key) => ({ at: [key], words: `"${key}" means nothing for the shape ${shape}; remove it` }));
}

/**
 * A line has no rows with digits and no highlight: read as if nothing was said, `digit` would send Enter behind the digit, and in a menu that
 * acts on one key that Enter answers whatever is asked next.
 */
function findMeaninglessAnswer({ answer }: RuleEntry, shape: Shape | undefined): RuleProblem[] {
  if (shape !== "yes_no" && shape !== "line_menu") return [];
  if (answer !== "digit" && answer !== "arrows") return [];
  const words = `"answer: ${answer}" means nothing for the shape ${shape}; write "key" if a letter or digit acts at once, else remove it`;
  return [{ at: ["answer"], words }];
}

/** Words that follow a choice need a composer that is known, and a choice that can be taken without them. */
function findTextWithoutComposer(
  { choices = [], if_hidden: hidden }: RuleEntry,
  hasComposer: boolean,
): RuleProblem[] {
  const following = choices.flatMap(({ text_to: to, takes_text: takes, text_keys: keys }, index) =>
    to === undefined ? [] : [{ at: ["choices", index], fits: takes === "optional" && !keys }],
  );
  const all = [...following, ...(hidden?.text_to === undefined ? [] : [{ at: ["if_hidden"], fits: true }])];
  if (!hasComposer)
    return all.map(({ at }) => ({
      at,
      words: '"text_to" needs "composer": give "composer: { row: …, below: … }"',
    }));
  return all
    .filter(({ fits }) => !fits)
    .map(({ at }) => ({
      at,
      words:
        '"text_to" is for words that follow a choice: use it with "takes_text: optional" and without "text_keys"',
    }));
}
