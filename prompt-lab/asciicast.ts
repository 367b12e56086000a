/** Recordings of asciinema, version 2 (instants) and 3 (pauses), as events of ours. */
import type { RecordingEvent } from "../src/worker/screen/recording-event.js";
import { fail, describeValue, readInteger, text, type FieldPlace } from "./fields.js";
import { parseJson } from "./json-text.js";
import { EVENTS_MAX, requireOrder, SIZE_MAX, TIME_MAX_MS } from "./recording.js";

export interface ImportedRecording {
  readonly cols: number;
  readonly rows: number;
  readonly events: readonly RecordingEvent[];
  /** What was recorded, where the file says it. */
  readonly command: string | null;
}

interface Header {
  readonly version: 2 | 3;
  readonly cols: number;
  readonly rows: number;
  readonly command: string | null;
}

interface Line {
  readonly text: string;
  readonly place: FieldPlace;
}

const RESIZE = /^(\d{1,4})x(\d{1,4})$/;

/** Errors: ATB_SCENARIO_INVALID, naming the line. */
export function parseAsciicast(source: string, file: string): ImportedRecording {
  const [first, ...lines] = readLines(source, file);
  if (!first) return fail({ file, path: "" }, "is empty");
  const { version, cols, rows, command } = readHeader(first);
  if (lines.length > EVENTS_MAX) return fail({ file, path: "" }, `has more than ${EVENTS_MAX} events`);
  let clock = 0;
  const events = lines.flatMap((line) => {
    const [time, code, data] = readEntry(line);
    // Instants are rounded when they are written, so one may lie a little before the last.
    clock = version === 3 ? clock + time : Math.max(clock, time);
    if (clock * 1000 > TIME_MAX_MS) fail(line.place, `lies beyond ${TIME_MAX_MS} ms`);
    return readEvent(Math.round(clock * 10_000) / 10, code, data, line.place);
  });
  return { cols, rows, command, events: requireOrder(events, () => ({ file, path: "" })) };
}

/** Whether a file's first line is such a header. */
export function isAsciicast(header: unknown): boolean {
  return header !== null && typeof header === "object" && "version" in header;
}

/** Without empty lines and the comments of version 3. */
function readLines(source: string, file: string): readonly Line[] {
  return source
    .split("\n")
    .map((line, index) => ({ text: line, place: { file, line: index + 1, path: "" } }))
    .filter((line) => line.text.trim() !== "" && !line.text.startsWith("#"));
}

function readHeader({ text: line, place }: Line): Header {
  const header = parseJson(line, place) as Record<string, unknown> | null;
  const version = header?.version;
  if (version !== 2 && version !== 3)
    return fail(
      place,
      `is no header of an asciicast of version 2 or 3; its version is ${describeValue(version ?? null)}`,
    );
  const size = version === 2 ? header : (header?.term as Record<string, unknown> | undefined);
  const [cols, rows] = version === 2 ? [size?.width, size?.height] : [size?.cols, size?.rows];
  const side = readInteger(1, SIZE_MAX);
  return {
    version,
    cols: side(cols ?? null, { file: place.file, path: version === 2 ? "width" : "term.cols" }),
    rows: side(rows ?? null, { file: place.file, path: version === 2 ? "height" : "term.rows" }),
    command: typeof header?.command === "string" ? header.command : null,
  };
}

function readEntry({ text: line, place }: Line): readonly [seconds: number, code: string, data: string] {
  const entry = parseJson(line, place);
  const [time, code, data] = Array.isArray(entry) ? (entry as unknown[]) : [];
  if (typeof time !== "number" || !Number.isFinite(time) || time < 0)
    return fail(place, `must be [seconds, code, data], found ${describeValue(entry)}`);
  return [time, text(code ?? null, place), text(data ?? null, place)];
}

/** Marks, exits and what later versions add say nothing about the picture. */
function readEvent(time: number, code: string, data: string, place: FieldPlace): readonly RecordingEvent[] {
  if (code === "o") return [{ t_ms: time, data_b64: Buffer.from(data).toString("base64") }];
  if (code === "i") return [{ t_ms: time, input_b64: Buffer.from(data).toString("base64") }];
  if (code !== "r") return [];
  const [, cols, rows] =
    RESIZE.exec(data) ?? fail(place, `must resize to COLUMNSxROWS, found ${describeValue(data)}`);
  const side = readInteger(1, SIZE_MAX);
  return [{ t_ms: time, resize: [side(Number(cols), place), side(Number(rows), place)] }];
}
