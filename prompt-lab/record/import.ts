/** Converts a recording of another program to a draft. */
import { existsSync } from "node:fs";
import { basename, extname, resolve } from "node:path";
import * as v from "valibot";
import { checkJson, fail, parseJson, readText } from "../scenario/read-text.js";
import { resolvePaths } from "../../src/config/paths.js";
import { AtlasBridgeError } from "../../src/model/errors.js";
import { findAdapter, GENERIC_ADAPTER, requireAdapterFile } from "../../src/plugins/adapters/adapters.js";
import { nameDraftFiles, writeDraft, type Drafted } from "./draft.js";
import { EVENTS_MAX, parseRecording, recordingEvent, side, TIME_MAX_MS } from "../scenario/recording.js";
import type { RecordingEvent } from "../../src/worker/screen/recording-event.js";

export interface ImportOptions {
  readonly file: string;
  /** Null: the adapter for the recorded command, otherwise the generic one. */
  readonly tool: string | null;
  /** Null: named after the recording, in the current folder. */
  readonly out: string | null;
  /** Absent: the recording's size. */
  readonly cols?: number;
  readonly rows?: number;
}

/** Errors: ATB_USAGE (no such file, or the target exists), ATB_SCENARIO_INVALID, ATB_ADAPTER_UNKNOWN, ATB_ADAPTER_INVALID. */
export async function importScenario({ file, tool, out, ...size }: ImportOptions): Promise<Drafted> {
  if (tool !== null) requireAdapterFile(tool, resolvePaths());
  const { command, ...recording } = importRecording(read(file), file);
  const files = nameDraftFiles(out ?? nameScenario(file));
  const told = await writeDraft(files, {
    ...recording,
    ...size,
    tool: tool ?? (await findTool(command)),
    tty: {},
  });
  return { ...files, told };
}

async function findTool(command: string | null): Promise<string> {
  const [executable = ""] = (command ?? "").trim().split(/\s/, 1);
  return executable === "" ? GENERIC_ADAPTER : (await findAdapter(executable, resolvePaths())).name;
}

/** In the current folder, without overwriting the recording. */
function nameScenario(file: string): string {
  const name = basename(file, extname(file));
  return resolve(`${name}.jsonl`) === resolve(file) ? `${name}-imported.json` : `${name}.json`;
}

function read(file: string): string {
  if (existsSync(file)) return readText(file);
  throw new AtlasBridgeError("ATB_USAGE", `${file} does not exist or is unreadable`, {
    hint: "Give an asciicast (version 2 or 3) or JSON lines.",
  });
}

const DEFAULT_SIZE = { cols: 80, rows: 24 };

export interface ImportedRecording {
  readonly cols: number;
  readonly rows: number;
  readonly events: readonly RecordingEvent[];
  /** Null if the file does not name it. */
  readonly command: string | null;
}

interface Line {
  readonly text: string;
  readonly place: string;
}

export function importRecording(source: string, file: string): ImportedRecording {
  const [first, ...rest] = readLines(source, file);
  if (!first) return fail(file, "is empty");
  const header = parseJson(first.text, first.place);
  if (header !== null && typeof header === "object" && "version" in header)
    return readAsciicast(checkJson(header, asciicastHeader, first.place), rest, file);
  const events = parseRecording(source, file);
  const [start] = events;
  if (!start || !("resize" in start)) return { ...DEFAULT_SIZE, events, command: null };
  // The terminal's size at the start.
  const [cols, rows] = start.resize;
  return { cols, rows, events: events.slice(1), command: null };
}

/** Skips empty lines and the comments of asciicast version 3. */
function readLines(source: string, file: string): readonly Line[] {
  return source
    .split("\n")
    .map((text, index) => ({ text, place: `${file}, line ${index + 1}` }))
    .filter(({ text }) => text.trim() !== "" && !text.startsWith("#"));
}

/** Events of version 2 have instants, those of version 3 pauses. */
const asciicastHeader = v.variant(
  "version",
  [
    v.object({ version: v.literal(2), width: side, height: side, command: v.optional(v.unknown()) }),
    v.object({
      version: v.literal(3),
      term: v.object({ cols: side, rows: side }),
      command: v.optional(v.unknown()),
    }),
  ],
  "expected an asciicast of version 2 or 3",
);
const asciicastEvent = v.tuple(
  [v.pipe(v.number(), v.minValue(0)), v.string(), v.string()],
  "expected [seconds, code, data]",
);
const RESIZE = /^(\d{1,4})x(\d{1,4})$/;

function readAsciicast(
  header: v.InferOutput<typeof asciicastHeader>,
  lines: readonly Line[],
  file: string,
): ImportedRecording {
  if (lines.length > EVENTS_MAX) return fail(file, `has more than ${EVENTS_MAX} events`);
  const isV3 = header.version === 3;
  let clock = 0;
  const events = lines.flatMap(({ text, place }) => {
    const [time, code, data] = checkJson(parseJson(text, place), asciicastEvent, place);
    // Instants are rounded, so one may be slightly before the last.
    clock = isV3 ? clock + time : Math.max(clock, time);
    if (clock * 1000 > TIME_MAX_MS) fail(place, `lies beyond ${TIME_MAX_MS} ms`);
    return readAsciicastEvent(Math.round(clock * 10_000) / 10, code, data, place);
  });
  const [cols, rows] = isV3 ? [header.term.cols, header.term.rows] : [header.width, header.height];
  return { cols, rows, command: typeof header.command === "string" ? header.command : null, events };
}

/** Ignores codes that do not change the picture. */
function readAsciicastEvent(
  time: number,
  code: string,
  data: string,
  place: string,
): readonly RecordingEvent[] {
  if (code === "o") return [{ t_ms: time, data_b64: Buffer.from(data).toString("base64") }];
  if (code === "i") return [{ t_ms: time, input_b64: Buffer.from(data).toString("base64") }];
  if (code !== "r") return [];
  const [, cols, rows] = RESIZE.exec(data) ?? [];
  return [checkJson({ t_ms: time, resize: [Number(cols), Number(rows)] }, recordingEvent, place)];
}
