/** A recording: timed bytes, and the terminal's sizes. */
import * as v from "valibot";
import type { RecordingEvent } from "../../src/worker/screen/recording-event.js";
import { checkJson, fail, parseJson } from "./read-text.js";

/** A person watched the recording. */
export const TIME_MAX_MS = 24 * 60 * 60 * 1000;
/** More chunks than a busy tool writes in an hour. */
export const EVENTS_MAX = 200_000;
const SIDE_MAX = 1000;
/** Output of the tool, a new size, or typed input. */
export const KINDS = ["data_b64", "resize", "input_b64"] as const;

export function wholeNumber(low: number, high: number) {
  const message = `expected a whole number from ${low} to ${high}`;
  return v.pipe(v.number(message), v.integer(message), v.minValue(low, message), v.maxValue(high, message));
}

export function numberTo(high: number) {
  const message = `expected a number from 0 to ${high}`;
  return v.pipe(v.number(message), v.minValue(0, message), v.maxValue(high, message));
}

export const side = wholeNumber(1, SIDE_MAX);

const base64 = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9+/]*={0,2}$/, "is not base64"),
  v.check((encoded) => encoded.length % 4 === 0, "is not base64"),
);

export const recordingEvent = v.pipe(
  v.strictObject({
    t_ms: numberTo(TIME_MAX_MS),
    data_b64: v.optional(base64),
    resize: v.optional(v.strictTuple([side, side], "expected [columns, rows]")),
    input_b64: v.optional(base64),
  }),
  v.check(
    (event) => KINDS.filter((kind) => kind in event).length === 1,
    `must have exactly one of ${KINDS.join(", ")}`,
  ),
  v.transform((event) => event as RecordingEvent),
);

export const recording = v.pipe(
  v.array(recordingEvent),
  v.maxLength(EVENTS_MAX, `has more than ${EVENTS_MAX} events`),
  v.check((events) => findEarly(events) < 0, "its times go back"),
);

/** One JSON object a line; empty lines are skipped. Errors: ATB_SCENARIO_INVALID. */
export function parseRecording(source: string, file: string): readonly RecordingEvent[] {
  const lines = source
    .split("\n")
    .map((text, index) => ({ text, place: `${file}, line ${index + 1}` }))
    .filter(({ text }) => text.trim() !== "");
  if (lines.length > EVENTS_MAX) return fail(file, `has more than ${EVENTS_MAX} events`);
  const events = lines.map(({ text, place }) => checkJson(parseJson(text, place), recordingEvent, place));
  const early = lines[findEarly(events)];
  return early ? fail(early.place, 'has a "t_ms" before that of the event in front of it') : events;
}

function findEarly(events: readonly RecordingEvent[]): number {
  return events.findIndex((event, index) => event.t_ms < (events[index - 1]?.t_ms ?? 0));
}

export function formatRecording(events: readonly RecordingEvent[]): string {
  return events.map((item) => `${JSON.stringify(item)}\n`).join("");
}
