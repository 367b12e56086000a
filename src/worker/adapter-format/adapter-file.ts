/**
 * The adapter file format, `schema: 1` (docs/how-to/add-an-adapter.md): the keys of `adapters/<tool>.yaml`. Unknown keys are
 * errors; no key is ignored. `compile-rules.ts` turns a valid file into a `CompiledAdapter`.
 */
import * as v from "valibot";
import { CONTROL_KEYS } from "../../model/answer/screen-keys.js";
import { isVersionRange } from "../../model/data/version-range.js";
import { acpSection } from "./acp-file.js";
import { headlessSection } from "./headless-file.js";
import { coattachSection } from "./coattach-file.js";
import { hooksSection } from "./hooks-file.js";
import { line, pattern, webAddress } from "./file-parts.js";
import type { KeyName } from "./key-names.js";
import { args } from "./placeholders.js";
import { name, rule, ruleKeys } from "./rule-keys.js";

export type { LiveProof, MarkKind } from "./list-keys.js";
export type { ButtonKind, ChoiceEntry, EntryPlace, RuleKey, Shape } from "./rule-keys.js";

const defaults = v.strictObject(ruleKeys);

const statePattern = v.union([
  pattern,
  v.strictObject({
    /** What a row says. */
    pattern,
    /** Only the lowest this many rows that are not blank. */
    rows: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(60))),
    /**
     * `cursor`: only the row that ends at the cursor, while nothing is known to run. `composer`: only the first row of the input
     * box (`composer:`), while the terminal's cursor is visible inside it.
     */
    at: v.optional(v.picklist(["cursor", "composer"])),
  }),
]);

const asking = v.strictObject({
  /** Arguments that make the tool ask, offered when the user gave none of `options`. */
  args,
  /** The option whose value decides. */
  option: v.optional(line),
  /** The values of that option with which the tool asks. */
  asks: v.optional(v.array(line), []),
  /** Options with which it asks nothing. */
  never_asks_flags: v.optional(v.array(line), []),
  /** The note that users see when the tool will not ask. */
  note: line,
});

const INTERRUPTS = ["esc", "ctrl-c"] as const satisfies readonly KeyName[];
export type InterruptKey = (typeof INTERRUPTS)[number];
const interruptKey = v.picklist(INTERRUPTS);
const CLEARING_KEYS = ["ctrl-c", "ctrl-u"] as const satisfies readonly KeyName[];
export type ClearingKey = (typeof CLEARING_KEYS)[number];

export const agentFile = v.strictObject({
  /** The version of this format. */
  schema: v.literal(1),
  /** The tool, as people call it; the file is named after it. */
  name,
  /** The version of this file. */
  version: v.pipe(v.string(), v.regex(/^\d+\.\d+\.\d+$/, "expected a version such as 1.2.3")),
  /** One line for `adapter list`. */
  description: line,
  /** Where the tool comes from. */
  homepage: v.optional(webAddress),
  /** The tool's own licence, as SPDX writes it. */
  license: v.optional(line),
  /** What kind of program it is. Shells, interpreters and debuggers have a format of their own, in `programs/`. */
  family: v.literal("agent"),
  /** Versions of the tool that the rules were made for; `doctor` compares them with the installed one. */
  supported_versions: v.optional(
    v.pipe(v.string(), v.check(isVersionRange, "expected comparisons such as >=2.0.76 <3")),
  ),
  /** `false`: made from public information about the tool; nobody has recorded it yet. */
  tested: v.optional(v.boolean(), true),
  /** Other names of the tool. */
  aliases: v.optional(v.array(name), []),
  /** How it is started. */
  process: v.strictObject({
    /** The command. */
    executable: v.optional(line),
    /** Names of the executable; the first one that is installed is run. */
    executable_candidates: v.optional(v.array(line)),
    /** The command that installs it, for people whose machine does not have it. */
    install: v.optional(line),
    /** Variables that are set for it. */
    env: v.optional(v.record(v.string(), v.string()), {}),
  }),
  /**
   * Status reports of the tool, besides its screen. Without this key, or with `false` (in your own copy of an adapter), no report
   * is believed.
   */
  reports: v.optional(
    v.union([
      v.literal(false),
      v.strictObject({
        /** The name (`app=…`) under which it reports its state by OSC 7501. */
        program_status: v.optional(line),
      }),
    ]),
  ),
  /** Hooks that are added for one run, by which the tool reports its prompts. */
  hooks: v.optional(hooksSection),
  /** How it is joined while it runs in its own terminal. */
  coattach: v.optional(coattachSection),
  /** How to start it as an agent of the Agent Client Protocol. */
  acp: v.optional(acpSection),
  /** How to run it without its interface (`atlasbridge exec`). */
  headless: v.optional(headlessSection),
  /** How it is seen what the tool does: patterns on the lowest eight rows that are not blank. `working` wins. */
  states: v.optional(
    v.strictObject({
      /** It works. */
      working: v.optional(v.array(statePattern), []),
      /** A question is coming that is not drawn yet. */
      waiting: v.optional(v.array(statePattern), []),
      /** It waits for its next task. */
      idle: v.optional(v.array(statePattern), []),
    }),
  ),
  /** Where its last answer stands once it is idle, between the person's words and the row that an `idle` pattern finds. */
  last_answer: v.optional(
    v.strictObject({
      /** The beginning of the row in which the person's own words are repeated. */
      asked: pattern,
      /** The mark before each of its answers; text before the last one is left out. */
      begins: pattern,
      /** The first row behind an answer. */
      ends: pattern,
      /** A row that stands only below a call of a tool, with its result: what its mark begins is no answer. */
      result: v.optional(pattern),
      /** Rows that are no part of it. */
      drop: v.optional(v.array(pattern), []),
      /** Only while its mark is drawn: without one the text may be a start-up page. */
      marked: v.optional(v.boolean(), false),
    }),
  ),
  /** The last row that it draws when it has ended: its indent and the whole command that continues the session. */
  resume: v.optional(pattern),
  /** The input box, where it takes its next task and the words of a `text_to`. A task is typed only into an empty one. */
  composer: v.optional(
    v.strictObject({
      /**
       * The bar in front of it; its text is between two blank rows, followed by `below`. `row` matches up to the start of the
       * text, the frame included.
       */
      frame: v.optional(v.literal("bar")),
      /** The beginning of its first row, up to where the text begins; the lowest such row counts. */
      row: pattern,
      /** The row right below it while it holds a single line; the lowest such row is where it ends. */
      below: pattern,
      /** The key that empties it in one press, whatever it contains; pressed only for a person who was shown the content. */
      clear: v.optional(v.picklist(CLEARING_KEYS)),
      /** Colours (of the palette) of the tool's suggestions in an empty one, besides grey and faint. */
      faint: v.optional(v.array(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(255))), []),
    }),
  ),
  /**
   * For tools with an input box: whole texts, in any case, that are commands there although they begin like words (`exit`).
   * Neither they nor text that begins with another sign (`/`, `!`, `@`) is ever typed into it; the sender gets the reason.
   */
  composer_commands: v.optional(v.array(v.pipe(v.string(), v.trim(), v.nonEmpty(), v.toLowerCase()))),
  /**
   * The key that stops what the tool is doing, and nothing else; two where it wants the second to be sure. Without it nobody can
   * stop it from afar. It is pressed for `stop` from a chat, and for "Deny and stop" on a card (which needs patterns for `working` and `idle`, by
   * which it is seen whether the tool stopped), only while the tool works and asks nothing.
   */
  interrupt: v.optional(
    v.union([interruptKey, v.pipe(v.array(interruptKey), v.minLength(1), v.maxLength(2))]),
  ),
  /** How it must be started so that it asks at all (`run --ask`). */
  asking: v.optional(asking),
  /**
   * What to make of a question that no rule reads. `screen` raises one when the screen shows neither working nor idle for 5 s, or for 1.5 s
   * with a list of which one row is marked. `line` does when a program provably waits on a line, or takes single keys and is quiet for 5 s while
   * it shows rows of which one has a pointer or a background of its own. `none` leaves it.
   */
  unread: v.optional(v.picklist(["screen", "line", "none"]), "none"),
  /**
   * Keys that people may press, besides others, on a screen or line that no rule reads (`ctrl-c`, `ctrl-d`). Each may end the
   * tool, so cards offer only those that stand here.
   */
  unread_keys: v.optional(v.array(v.picklist(CONTROL_KEYS)), []),
  /** Programs that wait for keys and ask nothing: while one is in the foreground, no line is a question. */
  passive_programs: v.optional(v.array(line), []),
  /** With `unread: line`: programs that draw lists to look around in, or to complete what somebody types. */
  no_menus: v.optional(v.array(line), []),
  /** What rules say that leave a key out. */
  defaults: v.optional(defaults, {}),
  /** Its dialogs. They are tried in order; the first that fits the screen counts. */
  rules: v.array(rule),
});

export type AgentFile = v.InferOutput<typeof agentFile>;
export type RuleEntry = AgentFile["rules"][number];
export type StateEntry = v.InferOutput<typeof statePattern>;

/** Families with a format and a folder of their own. */
export const PROGRAM_FAMILIES = ["shell", "repl", "debugger"] as const;
/** Sections of the format that do nothing for an agent yet: refused by name, never silently ignored. */
export const LATER_SECTIONS = ["answers", "tests"] as const;
