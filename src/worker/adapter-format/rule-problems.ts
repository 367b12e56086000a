/** What makes no sense in the rules of an adapter file though each key is one: together with their defaults, shape and composer. */
import type { AgentFile, RuleEntry, RuleKey, Shape } from "./adapter-file.js";

export interface AdapterFileProblem {
  /** Keys from the top of the file. */
  readonly at: readonly [string | number, ...(string | number)[]];
  readonly words: string;
}

const COMMON: readonly RuleKey[] = [
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
const DRAWN: readonly RuleKey[] = ["frame", "header", "footer", "cut", "deaf_ms"];
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
const LINE: readonly RuleKey[] = ["tail", "header", "frame", "answer"];
const KEYS_OF: Readonly<Record<Shape, readonly RuleKey[]>> = {
  list: [...DIALOG, "by_looks"],
  check_list: [...DIALOG, "toggle", "submit"],
  radio_list: [...DIALOG, "toggle", "submit"],
  buttons: [...DRAWN, "buttons", "choices"],
  field: [...DRAWN, "field", "entry", "clear", "top", "start", "text_max"],
  page: [...DRAWN, "top", "by_looks", "reads_inside"],
  confirm: [...DRAWN, "top", "start"],
  yes_no: LINE,
  press_enter: LINE,
  line: [...LINE, "text_max"],
  line_menu: [...LINE, "choices"],
  secret: LINE,
};

export function isListShape(shape: Shape): boolean {
  return shape === "list" || shape === "check_list" || shape === "radio_list";
}

export function ruleProblems({ rules, defaults, composer }: AgentFile): readonly AdapterFileProblem[] {
  return rules.flatMap((entry, index) => {
    const isTwin = rules.findIndex(({ name }) => name === entry.name) < index;
    const found = [
      ...(isTwin ? [{ at: ["name"], words: `two rules are named "${entry.name}"` }] : []),
      ...missing({ ...defaults, ...entry }),
      ...meaningless(entry, entry.shape ?? defaults.shape),
      ...homelessWords(entry, composer !== undefined),
    ];
    return found.map(({ at, words }): AdapterFileProblem => ({ at: ["rules", index, ...at], words }));
  });
}

interface RuleProblem {
  /** Keys of the rule. */
  readonly at: readonly (string | number)[];
  readonly words: string;
}

function missing({ name, shape, class: safetyClass, confidence, list }: RuleEntry): RuleProblem[] {
  const here = (words: string) => ({
    at: [],
    words: `rule "${name}": ${words}; give it here or in "defaults"`,
  });
  return [
    ...(shape ? [] : [here('"shape" is missing')]),
    ...(safetyClass ? [] : [here('"class" is missing')]),
    ...(confidence === undefined ? [here('"confidence" is missing')] : []),
    ...(shape && isListShape(shape) && !list ? [here(`shape ${shape} needs "list"`)] : []),
  ];
}

/** A key that its shape would not read does nothing, and that must be said. Defaults are for many shapes. */
function meaningless(entry: RuleEntry, shape: Shape | undefined): RuleProblem[] {
  if (!shape) return [];
  const known = new Set<string>(["name", ...COMMON, ...KEYS_OF[shape]]);
  return Object.keys(entry)
    .filter((key) => !known.has(key))
    .map((key) => ({ at: [key], words: `"${key}" means nothing for the shape ${shape}; remove it` }));
}

/** Words that follow a choice need a composer that is known, and a choice that can be taken without them. */
function homelessWords({ choices = [], if_hidden: hidden }: RuleEntry, hasComposer: boolean): RuleProblem[] {
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
