/** Removes traces of people and machines from a recording. Replacements have the same length, so the picture stays the same. */
import type { RecordingEvent } from "../../src/worker/screen/recording-event.js";
import {
  toPlainText,
  withoutRowEnds,
  type PlainText,
  anybodysTraces,
  findOwnersNames,
  type Finder,
  type Owner,
  encodeAsBytes,
  revealsPart,
} from "./private-parts.js";
import { Screen } from "../../src/worker/screen/screen.js";

export type { Owner } from "./private-parts.js";

/**
 * Removes home, user and host names, folders in paths, mail addresses and known secrets, and masks typed text. A name that was drawn in
 * pieces at different times is not found.
 */
export function scrubRecording(events: readonly RecordingEvent[], owner: Owner): readonly RecordingEvent[] {
  return maskInput(scrubOutput(events, owner));
}

/** Searches the whole output, because a chunk may end within a name. */
function scrubOutput(events: readonly RecordingEvent[], owner: Owner): readonly RecordingEvent[] {
  const chunks = events.map((event) => ("data_b64" in event ? fromBase64(event.data_b64) : ""));
  const whole = scrubText(chunks.join(""), owner);
  let at = 0;
  return events.map((event, index) => {
    const start = at;
    at += chunks[index]?.length ?? 0;
    return "data_b64" in event ? { ...event, data_b64: toBase64(whole.slice(start, at)) } : event;
  });
}

function scrubText(output: string, owner: Owner): string {
  const names = findOwnersNames(owner);
  const bytes = Buffer.from(output, "latin1");
  const drawn = toPlainText(output);
  // Exact names last, so that no guess hides a part of one.
  replaceIn(bytes, drawn, anybodysTraces);
  replaceIn(bytes, drawn, names);
  replaceIn(bytes, withoutRowEnds(drawn), names);
  return bytes.toString("latin1");
}

/** Writes the replacements. A cursor move is no byte of the text. */
function replaceIn(bytes: Buffer, { text, places }: PlainText, find: Finder): void {
  for (const { start, standIn } of find(text)) {
    for (let offset = 0; offset < standIn.length; offset++) {
      const place = places[start + offset];
      if (place !== undefined && (bytes[place] ?? 0) > 0x1f) bytes[place] = standIn.charCodeAt(offset);
    }
  }
}

/** Keys that act, such as arrows. Other typed characters may be a password. */
const ACTING_OR_TYPED =
  /\u001b(?:\[[0-?]{0,32}[ -/]{0,4}[@-~]|O[@-~])|[\u0000-\u001f\u007f]|[^\u0000-\u001f\u007f]/g;

function maskInput(events: readonly RecordingEvent[]): readonly RecordingEvent[] {
  return events.map((event) =>
    "input_b64" in event ? { ...event, input_b64: toBase64(masked(fromBase64(event.input_b64))) } : event,
  );
}

function masked(input: string): string {
  return input.replace(ACTING_OR_TYPED, (key) => (key.length === 1 && isTyped(key) ? "x" : key));
}

function isTyped(character: string): boolean {
  return character >= " " && character !== "\u007f";
}

function fromBase64(encoded: string): string {
  return Buffer.from(encoded, "base64").toString("latin1");
}

function toBase64(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString("base64");
}

export interface PrivateInstant {
  /** ms on the recording's clock. */
  readonly atMs: number;
}

/** The first instant whose picture may show private data, or null. */
export async function findFirstPrivatePicture(
  {
    cols,
    rows,
    events,
  }: { readonly cols: number; readonly rows: number; readonly events: readonly RecordingEvent[] },
  owner: Owner,
): Promise<PrivateInstant | null> {
  const names = findOwnersNames(owner);
  const screen = new Screen({ cols, rows });
  try {
    for (const event of events) {
      if ("resize" in event) screen.resize({ cols: event.resize[0], rows: event.resize[1] });
      if (!("data_b64" in event)) continue;
      screen.write(Buffer.from(event.data_b64, "base64"));
      await screen.flushed();
      const text = encodeAsBytes(
        screen
          .view()
          .lines.map((line) => line.text)
          .join("\n"),
      );
      const joined = withoutRowEnds({ text, places: new Uint32Array() }).text;
      const isPrivate = [...names(text), ...anybodysTraces(text)].some((part) => revealsPart(text, part));
      if (isPrivate || names(joined).length > 0) return { atMs: event.t_ms };
    }
    return null;
  } finally {
    screen.dispose();
  }
}
