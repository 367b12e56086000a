/** Recordings made elsewhere: asciicasts, and JSON lines as `recording_file` holds them. */
import { isAsciicast, parseAsciicast, type ImportedRecording } from "./asciicast.js";
import { parseJson } from "./fields.js";
import { parseRecording } from "./recording.js";

const DEFAULT_SIZE = { cols: 80, rows: 24 };

/** Errors: ATB_SCENARIO_INVALID, naming the line. */
export function importRecording(source: string, file: string): ImportedRecording {
  const lines = source.split("\n");
  const first = Math.max(
    0,
    lines.findIndex((line) => line.trim() !== "" && !line.startsWith("#")),
  );
  const header = parseJson(lines[first] ?? "", { file, path: `line ${first + 1}` });
  if (isAsciicast(header)) return parseAsciicast(source, file);
  return { ...sized(parseRecording(source, file)), command: null };
}

/** A size that comes before any output is the size that the terminal had. */
function sized(events: ImportedRecording["events"]): Pick<ImportedRecording, "cols" | "rows" | "events"> {
  const [first] = events;
  if (!first || !("resize" in first)) return { ...DEFAULT_SIZE, events };
  const [cols, rows] = first.resize;
  return { cols, rows, events: events.slice(1) };
}
