/** The schema of `policy.yaml`: what people write, before it is compiled. Every key has an effect. */
import * as v from "valibot";
import { duration } from "../../../config/schema.js";
import { MODES } from "../../../model/policy-mode.js";
import { CHOICE_INTENTS, CONFIDENCES, PROMPT_TYPES, SAFETY_CLASSES } from "../../../model/prompt.js";
import { findPrefixProblem, parsePrefix } from "../command/prefix.js";
import { findPatternProblem } from "../pattern.js";

const word = v.pipe(v.string(), v.minLength(1), v.maxLength(500));

function oneOrMore<const S extends v.GenericSchema>(item: S) {
  return v.union([item, v.pipe(v.array(item), v.minLength(1, "the list is empty"))]);
}

const path = v.pipe(
  word,
  v.check(
    (text) => !/[*?[\]{}]/.test(text),
    "a path covers everything below it and takes no wildcards: write the directory",
  ),
  v.check((text) => !/^~[^/]/.test(text), "only ~/ is known, your own home directory: write the directory"),
);

/** No reader of a rule could tell what a shell would make of more. */
const command = v.pipe(
  word,
  v.regex(
    /^[A-Za-z0-9_.+/~-][A-Za-z0-9_.+/~@:=,%-]*(?: +[A-Za-z0-9_.+/~@:=,%-]+)*$/,
    "expected plain words such as git status",
  ),
);

const pattern = v.pipe(
  word,
  v.rawCheck(({ dataset, addIssue }) => {
    const problem = dataset.typed ? findPatternProblem(dataset.value) : null;
    if (problem !== null) addIssue({ message: problem });
  }),
);

const lasting = v.pipe(duration, v.minValue(1, "expected a time above zero"));

const clock = v.pipe(
  v.string(),
  v.regex(/^(?:[01][0-9]|2[0-3]):[0-5][0-9]$/, 'expected a time such as "22:00"'),
);

export const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;

const conditions = {
  /** The supervised tool, by the name of its adapter. */
  tool: v.optional(oneOrMore(word)),
  /** The session's label; a * matches any characters. */
  label: v.optional(oneOrMore(word)),
  /** The session works in this directory or below it, and so does the call. ~ is the home directory. */
  cwd: v.optional(oneOrMore(path)),
  /** Paths that the request touches: arguments of the call, words of the command. A relative path counts from the session's directory. */
  path: v.optional(oneOrMore(path)),
  /** The form of the prompt: yes_no, multiple_choice … */
  type: v.optional(oneOrMore(v.picklist(PROMPT_TYPES))),
  /** What kind of decision it is: permission, question, plan … */
  class: v.optional(oneOrMore(v.picklist(SAFETY_CLASSES))),
  /** How certain the detection is. */
  confidence: v.optional(oneOrMore(v.picklist(CONFIDENCES))),
  /** The prompt offers a choice that does this. */
  intent: v.optional(oneOrMore(v.picklist(CHOICE_INTENTS))),
  /** The name of the tool call, as the tool reports it: Bash, Edit; a * matches any characters. */
  call: v.optional(oneOrMore(word)),
  /** The host of each URL of the call. *.example.com covers the hosts below it. */
  host: v.optional(oneOrMore(word)),
  /** A shell command that begins with these words; {exactly: …} allows no further word. */
  command: v.optional(oneOrMore(v.union([command, v.strictObject({ exactly: command })]))),
  /** The prompt contains this text. For a rule that answers a prompt read from a screen, only the question itself counts. */
  text: v.optional(oneOrMore(word)),
  /** A regular expression (RE2) that the prompt's text matches, read as `text` is. */
  pattern: v.optional(oneOrMore(pattern)),
  /** The time of day, local. If from is later than to, it spans midnight. */
  time: v.optional(v.strictObject({ from: clock, to: clock })),
  /** The day of the week. */
  day: v.optional(oneOrMore(v.picklist(DAYS))),
};

const alternative = v.strictObject(conditions);

const match = v.strictObject({
  ...conditions,
  /** At least one of these holds. */
  any_of: v.optional(v.pipe(v.array(alternative), v.minLength(1))),
  /** None of these holds. */
  none_of: v.optional(v.pipe(v.array(alternative), v.minLength(1))),
});

const answer = v.union([
  v.picklist(["allow_once", "reject_once"]),
  v.strictObject({
    /** What a person would type: the number of a choice, y, n, or a text. */
    value: v.pipe(v.string(), v.maxLength(4000)),
  }),
]);

/** Further reminders would not help. */
const ESCALATIONS_MAX = 5;

const ask = v.union([
  v.literal(true),
  v.strictObject({
    /** Only these may answer: names of people, or of roles. */
    approvers: v.optional(oneOrMore(word)),
    /** So many different people must approve; a no of one decides at once. The local user counts only if `people` lists cli:local. */
    quorum: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(9))),
    /**
     * A yes takes more than a tap: the two digits that the tool's terminal shows must be written. Of several people the first one
     * is given them. false: not even if prompts.number_for says so.
     */
    number_match: v.optional(v.boolean()),
    /** When people are reminded, counted from when the prompt came; those whom `to` names (a role, or a person) then may answer, too. */
    escalate: v.optional(
      v.pipe(
        v.array(v.strictObject({ after: duration, to: word })),
        v.minLength(1, "the list is empty"),
        v.maxLength(ESCALATIONS_MAX, `at most ${ESCALATIONS_MAX} steps`),
        v.check(
          (steps) => steps.every(({ after }, at) => at === 0 || after > (steps[at - 1]?.after ?? 0)),
          "each step must come after the one before it",
        ),
      ),
    ),
    /** Answered only at the terminal or with a command on this machine. */
    local_only: v.optional(v.boolean()),
    /** When the prompt expires; 0s: never. */
    expires: v.optional(duration),
    /** At that time: type nothing (`leave`), or give the rejecting answer. */
    on_expiry: v.optional(v.picklist(["leave", "safe_default"])),
  }),
]);

const USES_MAX = 100_000;
const uses = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(USES_MAX));

/** So many instants of a rule's answers are kept. */
export const RATE_MAX = 1_000;

export const ACTIONS = ["answer", "deny", "ask", "notify"] as const;

const rule = v.pipe(
  v.strictObject({
    /** The name on cards and in the audit. */
    id: v.pipe(
      v.string(),
      v.regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/, "expected letters, digits, -, _ or ."),
    ),
    /** All of these must hold. Without it, the rule matches every prompt. */
    match: v.optional(match, {}),
    /** Answers at once: allow_once, reject_once, or {value: …}. */
    answer: v.optional(answer),
    /** Answers with the choice that rejects once; a text goes to the tool where it takes one. */
    deny: v.optional(v.union([v.literal(true), v.pipe(v.string(), v.minLength(1), v.maxLength(500))])),
    /** Asks people, with these conditions. */
    ask: v.optional(ask),
    /** People are notified; the answer is given at the terminal. */
    notify: v.optional(v.literal(true)),
    /** How often it answers in one session. */
    max: v.optional(uses),
    /** How often it answers in any such time: {uses: 5, per: 1m}. */
    rate: v.optional(v.strictObject({ uses: v.pipe(uses, v.maxValue(RATE_MAX)), per: lasting })),
  }),
  v.check(
    (each) => ACTIONS.filter((action) => each[action] !== undefined).length === 1,
    "a rule has exactly one of answer, deny, ask, notify",
  ),
  v.check(
    (each) => each.answer !== undefined || (each.max === undefined && each.rate === undefined),
    "max and rate limit answers: this rule has none",
  ),
  // A rule that cannot be limited to its named parts is refused before its first use.
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed || dataset.value.answer === undefined || dataset.value.answer === "reject_once")
      return;
    const { match: own } = dataset.value;
    for (const { conditions: entries, keys } of listAlternatives(own)) {
      const listed = toList(entries.command ?? []);
      const at = listed.findIndex((each) => findPrefixProblem(parsePrefix(each)) !== null);
      const found = listed[at];
      if (found === undefined) continue;
      const path = [...keys, "command", ...(Array.isArray(entries.command) ? [at] : [])];
      addIssue({ message: findPrefixProblem(parsePrefix(found)) ?? "", path: toIssuePath(path) });
    }
  }),
);

type Conditions = v.InferOutput<typeof alternative>;

function listAlternatives({ any_of: anyOf = [], ...own }: v.InferOutput<typeof match>) {
  const others = anyOf.map((conditions: Conditions, at) => ({ conditions, keys: ["match", "any_of", at] }));
  return [{ conditions: own as Conditions, keys: ["match"] as readonly (string | number)[] }, ...others];
}

export function toList<T>(value: T | readonly T[]): readonly T[] {
  return Array.isArray(value) ? (value as readonly T[]) : [value as T];
}

/** Only the keys count: they are where the reader of the file looks for the position. */
export function toIssuePath(keys: readonly (string | number)[]): [v.IssuePathItem, ...v.IssuePathItem[]] {
  const items = keys.map(
    (key) => ({ type: "unknown", origin: "value", input: null, key, value: null }) as const,
  );
  return items as unknown as [v.IssuePathItem, ...v.IssuePathItem[]];
}

export const policyFile = v.strictObject({
  /** The version of this format: 1. */
  version: v.literal(1),
  /** off: people only. assist: a rule's answer is suggested, and given when nobody stops it. full: rules answer. */
  mode: v.optional(v.picklist(MODES), "full"),
  /** In mode assist: how long a suggested answer waits for people; longer while they could not have stopped it. */
  countdown: v.optional(lasting, "30s"),
  /** Names of people by role, for approvers. */
  roles: v.optional(v.record(word, v.pipe(v.array(word), v.minLength(1))), {}),
  /** In order: deny before answer before ask before notify, and the first that matches in its class. */
  rules: v.optional(
    v.pipe(
      v.array(rule),
      v.maxLength(1000),
      v.rawCheck(({ dataset, addIssue }) => {
        const ids = dataset.typed ? dataset.value.map(({ id }) => id) : [];
        const at = ids.findIndex((id, index) => ids.indexOf(id) !== index);
        if (at >= 0) addIssue({ message: "another rule has the same id", path: toIssuePath([at, "id"]) });
      }),
    ),
    [],
  ),
});

export type PolicyFile = v.InferOutput<typeof policyFile>;
export type PolicyRuleEntry = PolicyFile["rules"][number];
export type ConditionEntries = v.InferOutput<typeof alternative>;
