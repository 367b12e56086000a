/**
 * The `hooks:` section of an adapter file: how hooks are added for one run, and how reported calls are shown. The calls use the
 * hook format that several agents share (`prompts/tool-call-request.ts`, `prompts/tool-call-decision.ts`).
 */
import * as v from "valibot";
import { line, pattern } from "./file-parts.js";
import { fieldsLine, allowInWords } from "./placeholders.js";
import { CHOICE_INTENTS, SAFETY_CLASSES } from "../../model/prompt.js";
import { isVersionRange } from "../../model/data/version-range.js";

const event = v.strictObject({
  /** It waits for our decision while the tool's own dialog also accepts an answer: the first one counts. */
  asks: v.optional(v.boolean(), false),
  /**
   * It reports the content of a dialog before the tool draws it, and expects no decision. If that dialog is cut and its visible
   * part matches, people see the reported content. Paths of the name and the input: fields, from the outside in.
   */
  preview: v.optional(
    v.strictObject({
      /** The field with the name of the called tool. */
      tool: v.optional(line, "tool_name"),
      /** The field with the input. Absent: the whole body is the input. */
      input: v.optional(line),
      /** Use only these fields of the input. */
      fields: v.optional(v.array(line)),
      /** It is a form: the fields of the input that hold its message and its fields (JSON Schema, flat). */
      form: v.optional(
        v.strictObject({
          /** The field with the message. */
          message: line,
          /** The field with the schema. */
          schema: line,
        }),
      ),
    }),
  ),
  /**
   * It reports how a form was answered, and our response replaces that answer. So a form can be answered remotely: its dialog is closed
   * with Esc, which agrees to nothing, and when `field` then reports `was`, the tool gets the people's answer.
   */
  override: v.optional(
    v.strictObject({
      /** The field that holds how the form was answered. */
      field: line,
      /** Its value when the form was closed. */
      was: line,
    }),
  ),
  /** The state of the tool from then on. */
  state: v.optional(v.picklist(["working", "idle"])),
  /** The field that holds the tool's last message. */
  last_message: v.optional(line),
  /** How the tool calls us: over HTTP or, where it cannot for this event, by a command. */
  by: v.optional(v.picklist(["http", "command"]), "http"),
});

const choice = v.strictObject({
  /** What people see. */
  label: line,
  /** What choosing it does. */
  intent: v.picklist(CHOICE_INTENTS),
  /** The mode that the tool is switched to with it, for the session. */
  mode: v.optional(line),
});

/** The ways to compare a dialog with a call; each is a key of the file. */
const COMPARISONS = ["part", "path", "lines", "text", "rows"] as const;

/** How the dialog of a call is known again on the screen: by one of these. Field names in braces: `{command}`. */
export const drawn = v.pipe(
  v.strictObject({
    /** Between two of its lines stands exactly this, or as much of it as there is room for. */
    part: v.optional(fieldsLine),
    /** A row of it, or its question, names this path or its end. */
    path: v.optional(fieldsLine),
    /** Its rows, but those `beside` it, are lines of this text, marks of layout left out. */
    lines: v.optional(fieldsLine),
    /** The dialog contains all of this, anywhere. */
    text: v.optional(fieldsLine),
    /** Each row of the dialog is in this text, except those `beside` it, and without `marks` that the tool draws on them. */
    rows: v.optional(fieldsLine),
    /** Rows of the dialog that are not the call's. */
    beside: v.optional(v.array(pattern)),
    /** What the tool draws on the call's rows: numbers, signs. */
    marks: v.optional(v.array(pattern)),
  }),
  v.check(
    (given) => COMPARISONS.filter((key) => given[key] !== undefined).length === 1,
    `expected one of ${COMPARISONS.join(", ")}`,
  ),
  v.check(
    ({ beside, lines, rows }) => beside === undefined || lines !== undefined || rows !== undefined,
    'expected "beside" only with "lines" or "rows"',
  ),
  v.check(
    ({ marks, rows }) => marks === undefined || rows !== undefined,
    'expected "marks" only with "rows"',
  ),
);

const call = v.strictObject({
  /** The tool's name for the call. */
  tool: pattern,
  /**
   * The question of its dialog, if the tool reports every such call (`preview`) before it asks this. A dialog with this question that
   * shows none of the reported calls may have been drawn by another program.
   */
  asked: v.optional(pattern),
  /** `permission`: yes or no to the input. `questions`: the input holds questions with options. */
  as: v.optional(v.picklist(["permission", "questions"]), "permission"),
  /** The safety class: how much is at risk. */
  class: v.optional(v.picklist(SAFETY_CLASSES)),
  /** What people are asked; `{tool}` is its name. */
  question: v.optional(allowInWords("{tool}", 200)),
  /** Fields of the input that come first, as plain text (`-field`, `+field`: each line marked so); the others follow with their names. */
  content: v.optional(v.array(line), []),
  /** In place of Yes, what the tool suggests, and No. */
  choices: v.optional(v.array(choice)),
  /** An approval must repeat the input. */
  returns_input: v.optional(v.boolean(), false),
  /** How its dialog is known again on the screen. */
  drawn: v.optional(drawn),
});

/** A settings file that only a variable of the environment can name. */
const settingsVariable = v.strictObject({
  /** The variable's name. */
  name: v.pipe(line, v.regex(/^[A-Z][A-Z0-9_]*$/, "expected the name of a variable")),
  /**
   * The files that the tool reads if the variable is not set, merged. The first one that exists counts; `$NAME/` is the folder of
   * the file that a variable names, and counts alone if that is set.
   */
  instead_of: v.optional(v.array(line), []),
});

/** For a tool that runs only hooks whose hash is trusted: the same value trusts ours for the run. */
const settingsOverride = v.strictObject({
  /** The options that override the setting: all names of each. */
  options: v.pipe(v.array(line), v.minLength(1)),
  /** The setting's name. */
  key: line,
  /** What the tool calls its command line where it names a hook. */
  trusted_as: line,
});

/** Options that are followed by values. A value is neither an option nor the name of a program. */
export const optionShapes = v.optional(
  v.strictObject({
    /** Options with one value, whatever it looks like. */
    one: v.optional(v.array(line), []),
    /** Options with a value, and more values up to the next option. */
    several: v.optional(v.array(line), []),
    /** Options whose value may be missing: the next argument is the value unless it looks like an option. */
    optional: v.optional(v.array(line), []),
  }),
  {},
);

const hooks = v.strictObject({
  /** Versions that know all of this. Any other one is only watched on its screen. */
  versions: v.pipe(v.string(), v.check(isVersionRange, "expected comparisons such as >=2.1.300 <3")),
  /** Option with a JSON file (or text) of settings, of which the tool takes the last one. */
  settings_option: v.optional(line),
  /** Or the variable that names such a file. */
  settings_variable: v.optional(settingsVariable),
  /** Or the options (by all their names) that override one setting with TOML, in this run. */
  settings_override: v.optional(settingsOverride),
  /** Or the option, which may be given several times, with the folder of a plugin that has a `plugin.json` and a `hooks.json`. */
  plugin_option: v.optional(line),
  /** Options of the tool that are followed by values. */
  options: optionShapes,
  /**
   * Settings of the tool whose `env` it takes over: a proxy in one of them could read its calls, and answer them. `~/` is the home,
   * `$NAME/` a folder that a variable names, `/` at the end means all of a folder's; other names count from the folder of the run
   * and from all above it.
   */
  environment_files: v.optional(v.array(line), []),
  /** Arguments with which it asks nobody, or is another program: then it is started without any of this. */
  not_with: v.optional(v.array(line), []),
  /** How long the tool lets a hook run. Make it long: people answer late, and the dialog can be answered meanwhile. */
  timeout_seconds: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(604_800))),
  /** A plain No stops the turn, as the No of the dialog does. */
  no_interrupts: v.optional(v.boolean(), false),
  /** The events that the tool reports, by its own names. */
  events: v.record(line, event),
  /** What the tool's modes do, in words, by the tool's names. */
  modes: v.optional(v.record(line, line), {}),
  /** How its calls are shown; the first that fits counts. */
  calls: v.array(call),
});

export const hooksSection = v.pipe(
  hooks,
  v.check(
    ({ settings_option, settings_variable, settings_override, plugin_option }) =>
      [settings_option, settings_variable, settings_override, plugin_option].filter(
        (place) => place !== undefined,
      ).length === 1,
    "expected one of settings_option, settings_variable, settings_override and plugin_option",
  ),
);

export type HooksSection = v.InferOutput<typeof hooksSection>;
