/** A recording: the timed bytes of one run and the sizes its terminal had; nothing about what they mean. */
import type { RecordingEvent } from "../src/worker/screen/recording-event.js";
import {
  fail,
  Fields,
  readInteger,
  readListOf,
  number,
  buildObjectSchema,
  createReader,
  text,
  type FieldPlace,
} from "./fields.js";
import { parseJson } from "./json-text.js";

/** A day: a recording is what somebody watched. */
export const TIME_MAX_MS = 24 * 60 * 60 * 1000;
/** More chunks than an hour of a busy tool writes. */
export const EVENTS_MAX = 200_000;
/** What an emulated screen can be without becoming a memory test. */
export const SIZE_MAX = 1000;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
/** What an event holds besides its time: bytes of the tool, a new size, or bytes that a person typed into the tool. */
const KINDS = ["data_b64", "resize", "input_b64"] as const;

const base64 = createReader({ type: "string", pattern: BASE64.source }, (value, place) => {
  const encoded = text(value, place);
  return encoded.length % 4 === 0 && BASE64.test(encoded) ? encoded : fail(place, "is not base64");
});

const sides = readListOf(readInteger(1, SIZE_MAX), 2);
const size = createReader<readonly [cols: number, rows: number]>(
  { ...sides.schema, minItems: 2 },
  (value, place) => {
    const [cols, rows] = sides(value, place);
    if (cols === undefined || rows === undefined) return fail(place, "must be [columns, rows]");
    return [cols, rows];
  },
);

const EVENT_FIELDS = { t_ms: number(0, TIME_MAX_MS), data_b64: base64, resize: size, input_b64: base64 };
const EVENT_SCHEMA = buildObjectSchema(EVENT_FIELDS, { required: ["t_ms"], oneOf: KINDS });

const event = createReader<RecordingEvent>(EVENT_SCHEMA, (value, place) => {
  const fields = new Fields(value, place, Object.keys(EVENT_FIELDS));
  const time = fields.take("t_ms", EVENT_FIELDS.t_ms);
  const kinds = KINDS.filter((name) => fields.has(name));
  if (kinds.length !== 1)
    return fail(place, `must have exactly one of ${KINDS.join(", ")}; found ${kinds.join(", ") || "none"}`);
  if (fields.has("resize")) return { t_ms: time, resize: fields.take("resize", size) };
  if (fields.has("input_b64")) return { t_ms: time, input_b64: fields.take("input_b64", base64) };
  return { t_ms: time, data_b64: fields.take("data_b64", base64) };
});

/** The events of a scenario's `recording` list, in order of time. */
const events = readListOf(event, EVENTS_MAX);
export const recording = createReader(events.schema, (value, place) =>
  requireOrder(events(value, place), (index) => ({ file: place.file, path: `${place.path}[${index}]` })),
);

/** The events of a recording file: one JSON object a line; empty lines are skipped. Errors: ATB_SCENARIO_INVALID. */
export function parseRecording(source: string, file: string): readonly RecordingEvent[] {
  const lines = source
    .split("\n")
    .map((line, index) => ({ line, place: { file, line: index + 1, path: "" } }))
    .filter(({ line }) => line.trim() !== "");
  if (lines.length > EVENTS_MAX) return fail({ file, path: "" }, `has more than ${EVENTS_MAX} events`);
  const found = lines.map(({ line, place }) => event(parseJson(line, place), place));
  return requireOrder(found, (index) => lines[index]?.place ?? { file, path: "" });
}

/** The events, if their times never go back. */
export function requireOrder(
  events: readonly RecordingEvent[],
  findPlace: (index: number) => FieldPlace,
): readonly RecordingEvent[] {
  const early = events.findIndex((item, index) => item.t_ms < (events[index - 1]?.t_ms ?? 0));
  return early === -1
    ? events
    : fail(findPlace(early), `has a "t_ms" before that of the event in front of it`);
}

/** JSON lines that `parseRecording` reads. */
export function formatRecording(events: readonly RecordingEvent[]): string {
  return events.map((item) => `${JSON.stringify(item)}\n`).join("");
}
