/** Recordings made elsewhere: asciicasts, and JSON lines as `recording_file` holds them. */
import { isAsciicast, parseAsciicast, type ImportedRecording } from "./asciicast.js";
import { fail } from "./fields.js";
import { parseJson } from "./json-text.js";
import { parseRecording } from "./recording.js";

const DEFAULT_SIZE = { cols: 80, rows: 24 };

/** Errors: ATB_SCENARIO_INVALID, naming the line. */
export function importRecording(source: string, file: string): ImportedRecording {
  const lines = source.split("\n");
  const first = lines.findIndex((line) => line.trim() !== "" && !line.startsWith("#"));
  if (first < 0) return fail({ file, path: "" }, "is empty");
  const header = parseJson(lines[first] ?? "", { file, line: first + 1, path: "" });
  if (isAsciicast(header)) return parseAsciicast(source, file);
  return { ...takeFirstSize(parseRecording(source, file)), command: null };
}

/** A size that comes before any output is the size that the terminal had. */
function takeFirstSize(
  events: ImportedRecording["events"],
): Pick<ImportedRecording, "cols" | "rows" | "events"> {
  const [first] = events;
  if (!first || !("resize" in first)) return { ...DEFAULT_SIZE, events };
  const [cols, rows] = first.resize;
  return { cols, rows, events: events.slice(1) };
}
