/** A scenario: a recording and its expected results. The adapter spec's fields work unchanged (ADR 7). */
import * as v from "valibot";
import {
  CONFIDENCES,
  PROMPT_TYPES,
  SAFETY_CLASSES,
  type Confidence,
  type PromptType,
  type SafetyClass,
} from "../../src/model/prompt.js";
import type { Signals } from "../../src/sdk/view.js";
import type { RecordingEvent } from "../../src/worker/screen/recording-event.js";
import { SETTLE_MS } from "../replay/replay.js";
import { checkJson, fail, parseJson } from "./read-text.js";
import { numberTo, parseRecording, recording, side, wholeNumber } from "./recording.js";
import { readSituation } from "./situation.js";

const END_STATES = ["waiting", "working", "idle"] as const;
export type EndState = (typeof END_STATES)[number];

/** Missing fields are not checked. */
export interface Expectations {
  /** The prompt that is open at the end; null: none. */
  readonly type: PromptType | null;
  readonly safetyClass?: SafetyClass;
  readonly confidence?: Confidence;
  readonly excerptContains?: string;
  readonly choices?: readonly string[];
  /** 1-based; null: no choice is highlighted. */
  readonly defaultChoice?: number | null;
  readonly contentContains?: readonly string[];
  readonly state?: EndState;
  /** Distinct prompts of the whole recording. */
  readonly count?: number;
}

export interface ExpectedReply {
  readonly value: string;
  readonly text?: string;
  /** One entry for each key; empty if the reply must be refused. */
  readonly expectedKeys: readonly string[];
}

/** A scenario whose expectations may be missing. */
export interface Draft {
  readonly file: string;
  readonly tool: string;
  readonly scenarioId: string;
  /** The same for all sizes and versions of the dialog. */
  readonly situation: string;
  readonly description: string;
  readonly cols: number;
  readonly rows: number;
  readonly events: readonly RecordingEvent[];
  readonly settleMs: number;
  /** The terminal's facts at the end; absent if unknown. */
  readonly tty: Signals;
  readonly expected: Expectations | null;
  readonly replies: readonly ExpectedReply[];
}

export interface Scenario extends Draft {
  readonly expected: Expectations;
}

const SETTLE_MAX_MS = 60 * 60 * 1000;
const LIST_MAX = 1000;
const COUNT_MAX = 100_000;
export const SOURCES = ["pty_output", "recording", "recording_file"] as const;

const text = v.string();
const filledText = v.pipe(
  text,
  v.minLength(1, "must not be empty"),
  v.check((value) => value.trim() !== "", "must not be empty"),
);
const texts = v.pipe(v.array(text), v.maxLength(LIST_MAX));
const fact = v.nullish(v.boolean());

/** The adapter spec writes TYPE_YES_NO and HIGH. */
function bothSpellings<const T extends string>(words: readonly T[], spell: (word: T) => string) {
  const meanings = new Map<string, T>(
    words.flatMap((word) => [[word, word] as const, [spell(word), word] as const]),
  );
  return { known: [...meanings.keys()], meanings };
}

const TYPES = bothSpellings(PROMPT_TYPES, (type) => `TYPE_${type.toUpperCase()}`);
const BANDS = bothSpellings(CONFIDENCES, (band) => band.toUpperCase());

const scenario = v.strictObject({
  tool: v.pipe(
    text,
    v.regex(/^[a-z][a-z0-9_-]{0,63}$/, "must be the name of an adapter: lower-case letters, digits, - and _"),
  ),
  scenario_id: filledText,
  situation: v.optional(filledText),
  description: v.optional(text, ""),
  pty_output: v.optional(text),
  recording: v.optional(recording),
  recording_file: v.optional(filledText),
  cols: v.optional(side, 80),
  rows: v.optional(side, 24),
  settle_ms: v.optional(numberTo(SETTLE_MAX_MS), SETTLE_MS),
  tty: v.optional(
    v.strictObject({
      echo: fact,
      canonical: fact,
      blocked_on_read: fact,
      foreground: v.nullish(filledText),
      reads_inside: fact,
    }),
    {},
  ),
  expected_type: v.nullish(
    v.pipe(
      v.picklist(TYPES.known),
      v.transform((name) => TYPES.meanings.get(name)),
    ),
  ),
  expected_safety_class: v.optional(v.picklist(SAFETY_CLASSES)),
  expected_confidence_band: v.nullish(
    v.pipe(
      v.picklist([...BANDS.known, "MED", "med"]),
      v.transform((name) => BANDS.meanings.get(name) ?? "medium"),
    ),
  ),
  expected_excerpt_contains: v.nullish(text),
  expected_choices: v.nullish(texts),
  expected_default: v.nullish(wholeNumber(1, LIST_MAX)),
  expected_content_contains: v.optional(texts),
  expected_state: v.optional(v.picklist(END_STATES)),
  expected_count: v.optional(wholeNumber(0, COUNT_MAX)),
  replies: v.optional(
    v.pipe(
      v.array(v.strictObject({ value: text, text: v.optional(text), expected_keys: texts })),
      v.maxLength(LIST_MAX),
    ),
    [],
  ),
  /** Ignored; editors read it. */
  $schema: v.optional(text),
});
type Fields = v.InferOutput<typeof scenario>;

export const scenarioFile = v.pipe(
  scenario,
  v.check(
    (fields) => SOURCES.filter((name) => name in fields).length === 1,
    `must have exactly one of ${SOURCES.join(", ")}`,
  ),
);

/** In the order in which they are written. */
export const LABELS = {
  expected_type: "type",
  expected_safety_class: "safetyClass",
  expected_confidence_band: "confidence",
  expected_excerpt_contains: "excerptContains",
  expected_choices: "choices",
  expected_default: "defaultChoice",
  expected_content_contains: "contentContains",
  expected_state: "state",
  expected_count: "count",
} as const satisfies Partial<Record<keyof Fields, keyof Expectations>>;
export type Label = keyof typeof LABELS;
export const LABEL_NAMES = Object.keys(LABELS) as readonly Label[];
/** For these labels null means that none is expected; for others it is ignored. */
const MAY_BE_ABSENT: readonly Label[] = ["expected_type", "expected_default"];

/** `readFile` gets a path relative to the scenario. Errors: ATB_SCENARIO_INVALID. */
export function parseScenario(source: string, file: string, readFile: (path: string) => string): Scenario {
  const draft = parseDraft(source, file, readFile);
  const { expected } = draft;
  if (expected) return { ...draft, expected };
  return fail(file, `has no field "expected_type"; to label it: atlasbridge lab update ${file}`);
}

/** For scenarios that may be unlabelled. */
export function parseDraft(source: string, file: string, readFile: (path: string) => string): Draft {
  const fields = checkJson(parseJson(source, file), scenarioFile, file);
  const { tool, scenario_id: scenarioId, description, cols, rows, settle_ms: settleMs, tty } = fields;
  return {
    file,
    tool,
    scenarioId,
    situation: readSituation(tool, fields.situation ?? scenarioId),
    description,
    cols,
    rows,
    events: readEvents(fields, readFile),
    settleMs,
    tty: given({
      echo: tty.echo,
      canonical: tty.canonical,
      blockedOnRead: tty.blocked_on_read,
      readsInside: tty.reads_inside,
      foreground: tty.foreground,
    }),
    expected: readExpectations(fields, file),
    replies: fields.replies.map(({ value, text: words, expected_keys: expectedKeys }) => ({
      value,
      ...given({ text: words }),
      expectedKeys,
    })),
  };
}

function readEvents(fields: Fields, readFile: (path: string) => string): readonly RecordingEvent[] {
  if (fields.recording) return fields.recording;
  const { pty_output: output = "", recording_file: beside } = fields;
  if (beside !== undefined) return parseRecording(readFile(beside), beside);
  // A terminal's lines end in CR LF; text without one was written by hand.
  const bytes = output.includes("\r\n") ? output : output.replaceAll("\n", "\r\n");
  return [{ t_ms: 0, data_b64: Buffer.from(bytes).toString("base64") }];
}

function readExpectations(fields: Fields, file: string): Expectations | null {
  const labels = LABEL_NAMES.filter((name) => name in fields);
  if (labels.length === 0) return null;
  const { expected_type: type, expected_choices: choices } = fields;
  if (type === undefined) return fail(file, 'has no field "expected_type"');
  // The adapter spec writes [] for every yes/no.
  const isOfSpec = type === "yes_no" && choices?.length === 0;
  const said = labels.filter(
    (name) =>
      (fields[name] !== null || MAY_BE_ABSENT.includes(name)) && !(isOfSpec && name === "expected_choices"),
  );
  return { type, ...Object.fromEntries(said.map((name) => [LABELS[name], fields[name]])) };
}

/** Without fields that are null or undefined. */
function given<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(
    Object.entries(fields).filter((entry) => entry[1] !== undefined && entry[1] !== null),
  ) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
}
