/** Takes people and machines out of a recording. Every stand-in has the length of what it replaces: the picture stays the same. */
import type { RecordingEvent } from "../src/worker/detect/replay.js";

export interface Owner {
  readonly home: string;
  readonly user: string;
  readonly host: string;
}

interface StandIn {
  readonly found: RegExp;
  readonly text: string;
}

/** Names that tell nothing about anybody; as words of a text they are better left alone. */
const NOBODY = new Set(["root", "user", "dev", "host", "localhost", "home", "Users"]);
/** Shorter names are parts of too many words. */
const NAME_LENGTH_MIN = 3;

/**
 * The recording without home path, user and host name, and with typed text as x: only the keys that act stay. What a tool
 * breaks over rows or colours in the middle is not found: look at a recording before you share it.
 */
export function scrubRecording(events: readonly RecordingEvent[], owner: Owner): readonly RecordingEvent[] {
  return maskInput(scrubOutput(events, standIns(owner)));
}

/** Longest first: the home path holds the user's name. */
function standIns({ home, user, host }: Owner): readonly StandIn[] {
  const names = [
    ...home.split("/").map((name) => [name, "user"] as const),
    [user, "user"] as const,
    [host, "host"] as const,
    [host.split(".")[0] ?? "", "host"] as const,
  ];
  return names
    .filter(([name]) => name.length >= NAME_LENGTH_MIN && !NOBODY.has(name))
    .sort(([a], [b]) => b.length - a.length)
    .map(([name, stem]) => standIn(name, stem));
}

function standIn(name: string, stem: string): StandIn {
  const bytes = asBytes(name);
  const literal = bytes.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return {
    found: new RegExp(`(?<![A-Za-z0-9])${literal}(?![A-Za-z0-9])`, "g"),
    text: stem.repeat(Math.ceil(bytes.length / stem.length)).slice(0, bytes.length),
  };
}

/** Names are looked for in the whole output, for a chunk may end in the middle of one. */
function scrubOutput(
  events: readonly RecordingEvent[],
  names: readonly StandIn[],
): readonly RecordingEvent[] {
  const chunks = events.map((event) => ("data_b64" in event ? fromBase64(event.data_b64) : ""));
  const whole = names.reduce((output, { found, text }) => output.replace(found, text), chunks.join(""));
  let at = 0;
  return events.map((event, index) => {
    const start = at;
    at += chunks[index]?.length ?? 0;
    return "data_b64" in event ? { ...event, data_b64: toBase64(whole.slice(start, at)) } : event;
  });
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

/** Bytes as a string of the same length, so that positions are byte positions. */
function asBytes(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

function fromBase64(encoded: string): string {
  return Buffer.from(encoded, "base64").toString("latin1");
}

function toBase64(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString("base64");
}
