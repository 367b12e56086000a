/** A scenario: a recording and what must be seen in it. The adapter spec's fields work unchanged (ADR 7). */
import {
  CONFIDENCES,
  PROMPT_TYPES,
  SAFETY_CLASSES,
  type Confidence,
  type PromptType,
  type SafetyClass,
} from "../src/model/prompt.js";
import type { Signals } from "../src/sdk/view.js";
import type { RecordingEvent } from "../src/worker/screen/recording-event.js";
import { SETTLE_MS } from "./replay.js";
import {
  fail,
  Fields,
  filledText,
  flag,
  readInteger,
  readListOf,
  number,
  buildObjectSchema,
  readOrNull,
  createReader,
  text,
  readWord,
  type FieldPlace,
} from "./fields.js";
import { parseJson } from "./json-text.js";
import { parseRecording, recording, SIZE_MAX } from "./recording.js";
import { readSituation } from "./situation.js";

/** States a tool can be left in at the end of a recording. */
const END_STATES = ["waiting", "working", "idle"] as const;
export type EndState = (typeof END_STATES)[number];

/** A field that is not there asserts nothing. */
export interface Expectations {
  /** The prompt pending at the end; null: nothing may be pending. */
  readonly type: PromptType | null;
  readonly safetyClass?: SafetyClass;
  readonly confidence?: Confidence;
  readonly excerptContains?: string;
  readonly choices?: readonly string[];
  /** 1-based; null: no choice is highlighted. */
  readonly defaultChoice?: number | null;
  readonly contentContains?: readonly string[];
  readonly state?: EndState;
  /** How many distinct prompts the whole recording raised. */
  readonly count?: number;
}

export interface ExpectedReply {
  readonly value: string;
  readonly text?: string;
  /** One entry a key; empty: the reply must be refused, nothing is typed. */
  readonly expectedKeys: readonly string[];
}

/** A scenario as far as a machine can write it: what must be seen may not be said yet. */
export interface Draft {
  readonly file: string;
  readonly tool: string;
  readonly scenarioId: string;
  /** What it shows, whatever the size and the version: the name it shares with other takes. */
  readonly situation: string;
  readonly description: string;
  readonly cols: number;
  readonly rows: number;
  readonly events: readonly RecordingEvent[];
  readonly settleMs: number;
  /** What the kernel knew about the terminal when the recording ended; absent means unknown. */
  readonly tty: Signals;
  readonly expected: Expectations | null;
  readonly replies: readonly ExpectedReply[];
}

export interface Scenario extends Draft {
  readonly expected: Expectations;
}

const DEFAULT_COLS = 80;
const DEFAULT_ROWS = 24;
const SETTLE_MAX_MS = 60 * 60 * 1000;
/** More than any list on a screen shows. */
const LIST_MAX = 1000;
const COUNT_MAX = 100_000;

/** In the order in which they are written. */
export const EXPECTATIONS = [
  "expected_type",
  "expected_safety_class",
  "expected_confidence_band",
  "expected_excerpt_contains",
  "expected_choices",
  "expected_default",
  "expected_content_contains",
  "expected_state",
  "expected_count",
] as const;
const SOURCES = ["pty_output", "recording", "recording_file"];

const TOOL_NAME = /^[a-z][a-z0-9_-]{0,63}$/;
const toolName = createReader({ type: "string", pattern: TOOL_NAME.source }, (value, place) =>
  TOOL_NAME.test(text(value, place))
    ? (value as string)
    : fail(place, "must be the name of an adapter: lower-case letters, digits, - and _"),
);

// The adapter spec writes TYPE_YES_NO, HIGH and MED; both spellings of each word are one word.
const promptType = readWord(
  new Map(PROMPT_TYPES.flatMap((type) => [type, `TYPE_${type.toUpperCase()}`].map((name) => [name, type]))),
);
const band = readWord(
  new Map<string, Confidence>([
    ...CONFIDENCES.flatMap((name): [string, Confidence][] => [
      [name, name],
      [name.toUpperCase(), name],
    ]),
    ["MED", "medium"],
    ["med", "medium"],
  ]),
);
const safetyClass = readWord(new Map(SAFETY_CLASSES.map((name) => [name, name])));
const endState = readWord(new Map(END_STATES.map((state) => [state, state])));

const TTY_FIELDS = {
  echo: readOrNull(flag),
  canonical: readOrNull(flag),
  blocked_on_read: readOrNull(flag),
  foreground: readOrNull(filledText),
  reads_inside: readOrNull(flag),
};
const ttyFacts = createReader<Signals>(buildObjectSchema(TTY_FIELDS), (value, place) => {
  const fields = new Fields(value, place, Object.keys(TTY_FIELDS));
  return given({
    echo: fields.maybe("echo", TTY_FIELDS.echo) ?? undefined,
    canonical: fields.maybe("canonical", TTY_FIELDS.canonical) ?? undefined,
    blockedOnRead: fields.maybe("blocked_on_read", TTY_FIELDS.blocked_on_read) ?? undefined,
    readsInside: fields.maybe("reads_inside", TTY_FIELDS.reads_inside) ?? undefined,
    foreground: fields.maybe("foreground", TTY_FIELDS.foreground) ?? undefined,
  });
});

const REPLY_FIELDS = { value: text, text, expected_keys: readListOf(text, LIST_MAX) };
const REPLY_SCHEMA = buildObjectSchema(REPLY_FIELDS, { required: ["value", "expected_keys"] });
const reply = createReader<ExpectedReply>(REPLY_SCHEMA, (value, place) => {
  const fields = new Fields(value, place, Object.keys(REPLY_FIELDS));
  return {
    value: fields.take("value", text),
    ...given({ text: fields.maybe("text", text) }),
    expectedKeys: fields.take("expected_keys", REPLY_FIELDS.expected_keys),
  };
});

const FIELDS = {
  tool: toolName,
  scenario_id: filledText,
  situation: filledText,
  description: text,
  pty_output: text,
  recording,
  recording_file: filledText,
  cols: readInteger(1, SIZE_MAX),
  rows: readInteger(1, SIZE_MAX),
  settle_ms: number(0, SETTLE_MAX_MS),
  tty: ttyFacts,
  expected_type: readOrNull(promptType),
  expected_safety_class: safetyClass,
  expected_confidence_band: readOrNull(band),
  expected_excerpt_contains: readOrNull(text),
  expected_choices: readOrNull(readListOf(text, LIST_MAX)),
  expected_default: readOrNull(readInteger(1, LIST_MAX)),
  expected_content_contains: readListOf(text, LIST_MAX),
  expected_state: endState,
  expected_count: readInteger(0, COUNT_MAX),
  replies: readListOf(reply, LIST_MAX),
  /** For editors: where `schemas/scenario.schema.json` is. Nothing here reads it. */
  $schema: text,
};

/** One that nobody has labelled yet has no `expected_type`. */
export const scenarioSchema = buildObjectSchema(FIELDS, {
  required: ["tool", "scenario_id"],
  oneOf: SOURCES,
});

/**
 * Parses one scenario file. `readFile` is given a path relative to the scenario (`recording_file`) and returns its text.
 * Errors: ATB_SCENARIO_INVALID.
 */
export function parseScenario(source: string, file: string, readFile: (path: string) => string): Scenario {
  const draft = parseDraft(source, file, readFile);
  const { expected } = draft;
  if (expected) return { ...draft, expected };
  return fail(
    { file, path: "" },
    `has no field "expected_type"; to label it: atlasbridge lab update ${file}`,
  );
}

/** As `parseScenario`, but nobody need have said yet what must be seen. */
export function parseDraft(source: string, file: string, readFile: (path: string) => string): Draft {
  const place: FieldPlace = { file, path: "" };
  const fields = new Fields(parseJson(source, place), place, Object.keys(FIELDS));
  const tool = fields.take("tool", FIELDS.tool);
  const scenarioId = fields.take("scenario_id", FIELDS.scenario_id);
  return {
    file,
    tool,
    scenarioId,
    situation: readSituation(tool, fields.maybe("situation", FIELDS.situation) ?? scenarioId),
    description: fields.maybe("description", FIELDS.description) ?? "",
    cols: fields.maybe("cols", FIELDS.cols) ?? DEFAULT_COLS,
    rows: fields.maybe("rows", FIELDS.rows) ?? DEFAULT_ROWS,
    events: events(fields, readFile),
    settleMs: fields.maybe("settle_ms", FIELDS.settle_ms) ?? SETTLE_MS,
    tty: fields.maybe("tty", FIELDS.tty) ?? {},
    expected: EXPECTATIONS.some((name) => fields.has(name)) ? readExpectations(fields) : null,
    replies: fields.maybe("replies", FIELDS.replies) ?? [],
  };
}

function events(fields: Fields, readFile: (path: string) => string): readonly RecordingEvent[] {
  const omitUndefined = SOURCES.filter((name) => fields.has(name));
  if (omitUndefined.length !== 1)
    fail(
      fields.place,
      `must have exactly one of ${SOURCES.join(", ")}; found ${omitUndefined.join(", ") || "none"}`,
    );
  if (fields.has("recording")) return fields.take("recording", recording);
  if (fields.has("pty_output"))
    return [{ t_ms: 0, data_b64: Buffer.from(readTerminalText(fields)).toString("base64") }];
  return fields.take("recording_file", (value, place) =>
    parseRecording(readFile(filledText(value, place)), value as string),
  );
}

/** A terminal's lines end in CR LF. Text that has none was written by hand: its line feeds mean new lines. */
function readTerminalText(fields: Fields): string {
  const output = fields.take("pty_output", text);
  return output.includes("\r\n") ? output : output.replaceAll("\n", "\r\n");
}

function readExpectations(fields: Fields): Expectations {
  const type = fields.take("expected_type", FIELDS.expected_type);
  const choices = fields.maybe("expected_choices", FIELDS.expected_choices);
  // The adapter spec writes [] on every yes/no; it always carries Yes and No here.
  const assertsChoices = choices && !(type === "yes_no" && choices.length === 0);
  return {
    type,
    ...given({
      safetyClass: fields.maybe("expected_safety_class", FIELDS.expected_safety_class),
      confidence: fields.maybe("expected_confidence_band", FIELDS.expected_confidence_band) ?? undefined,
      excerptContains:
        fields.maybe("expected_excerpt_contains", FIELDS.expected_excerpt_contains) ?? undefined,
      choices: assertsChoices ? choices : undefined,
      defaultChoice: fields.maybe("expected_default", FIELDS.expected_default),
      contentContains: fields.maybe("expected_content_contains", FIELDS.expected_content_contains),
      state: fields.maybe("expected_state", FIELDS.expected_state),
      count: fields.maybe("expected_count", FIELDS.expected_count),
    }),
  };
}

/** The same object without the fields that are undefined. */
function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter((entry) => entry[1] !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
