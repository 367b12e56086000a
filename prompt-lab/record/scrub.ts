/** Takes people and machines out of a recording. Every stand-in has the length of what it replaces: the picture stays the same. */
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
 * The recording without home, user and host name, names of folders in paths, mail addresses and known kinds of secrets, and with
 * typed text as x: only the keys that act stay. A name is found through colours, moves and the ends of rows; one that is drawn in pieces at
 * different times is not: look at a recording before you share it.
 */
export function scrubRecording(events: readonly RecordingEvent[], owner: Owner): readonly RecordingEvent[] {
  return maskInput(scrubOutput(events, owner));
}

/** Private parts are looked for in the whole output, for a chunk may end in the middle of one. */
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

/** `output` as latin1. */
function scrubText(output: string, owner: Owner): string {
  const names = findOwnersNames(owner);
  const bytes = Buffer.from(output, "latin1");
  const drawn = toPlainText(output);
  // What is known by name last: nothing that was guessed may hide a part of it.
  replaceIn(bytes, drawn, anybodysTraces);
  replaceIn(bytes, drawn, names);
  replaceIn(bytes, withoutRowEnds(drawn), names);
  return bytes.toString("latin1");
}

/** Puts the stand-ins for what the text holds into `bytes`. A blank that a move stands for is no byte of the text. */
function replaceIn(bytes: Buffer, { text, places }: PlainText, find: Finder): void {
  for (const { start, standIn } of find(text)) {
    for (let offset = 0; offset < standIn.length; offset++) {
      const place = places[start + offset];
      if (place !== undefined && (bytes[place] ?? 0) > 0x1f) bytes[place] = standIn.charCodeAt(offset);
    }
  }
}

/** Keys that act: control characters and sequences such as arrows. Everything else somebody typed may be a password. */
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

export interface RecordedSource {
  /** ms on the recording's clock. */
  readonly atMs: number;
}

interface Recorded {
  readonly cols: number;
  readonly rows: number;
  readonly events: readonly RecordingEvent[];
}

/** The first picture that tells something, or null. */
export async function findWhereTold(
  { cols, rows, events }: Recorded,
  owner: Owner,
): Promise<RecordedSource | null> {
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
      const isTold = [...names(text), ...anybodysTraces(text)].some((part) => revealsPart(text, part));
      if (isTold || names(joined).length > 0) return { atMs: event.t_ms };
    }
    return null;
  } finally {
    screen.dispose();
  }
}
