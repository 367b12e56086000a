/**
 * Reads the Program Status Protocol, OSC 7501: a tool reports its own state (`ESC ] 7501 ; state=blocked:app=… ST`) once its
 * query `ESC ] 7501 ; ? ST` was answered. It is read from the raw output, however that is split; the output is not changed. Pure.
 */

export const PROGRAM_STATES = ["idle", "working", "blocked", "done", "error", "clear"] as const;
export type ProgramState = (typeof PROGRAM_STATES)[number];

export interface StatusReport {
  readonly kind: "report";
  readonly state: ProgramState;
  /** The program that reports; null where it is not named (a `clear` at the end). */
  readonly app: string | null;
  /** The reason that it names for being blocked: `permission`, `question`. */
  readonly blockedOn: string | null;
  /** One line for people, as the tool wrote it. It must be redacted and neutralised before anybody sees it. */
  readonly message: string | null;
  /** A part of the tool (a subagent) that reports its own state; null: the tool as a whole. */
  readonly part: string | null;
}

export type StatusMessage = { readonly kind: "query" } | StatusReport;

/** What terminals answer to the query; after that the tool reports. */
export const STATUS_ANSWER: Uint8Array = Buffer.from("\u001b]7501;?\u001b\\");

export const NO_REST: Uint8Array = new Uint8Array();

export interface StatusScan {
  /** The beginning of an unfinished message; empty between messages. */
  readonly rest: Uint8Array;
  readonly messages: readonly StatusMessage[];
}

const INTRODUCER = Buffer.from("\u001b]7501;");
/** Observed messages stay below 3 KiB (2048 characters of text in base64). Anything longer is not a report, and is not waited for. */
export const STATUS_BYTES_MAX = 8 * 1024;
const ESC = 0x1b;
const BEL = 0x07;
const BACKSLASH = 0x5c;

/** Finds the messages that end in `chunk`, which follows the bytes that `rest` came from. */
export function scanStatus(rest: Uint8Array, chunk: Uint8Array): StatusScan {
  const bytes = rest.length === 0 ? asBuffer(chunk) : Buffer.concat([rest, chunk]);
  const messages: StatusMessage[] = [];
  let from = 0;
  for (;;) {
    const start = bytes.indexOf(INTRODUCER, from);
    if (start < 0) return { rest: copyRest(bytes, findBeginning(bytes, from)), messages };
    const body = start + INTRODUCER.length;
    const end = findEnd(bytes, body);
    if (end === null) return { rest: copyUnended(bytes, start), messages };
    const message = end.whole ? parseStatus(bytes.toString("latin1", body, end.at)) : null;
    if (message) messages.push(message);
    from = end.at;
  }
}

function asBuffer(chunk: Uint8Array): Buffer {
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}

/** Copies the bytes: chunks are cut from large slabs that a few bytes must not keep alive. */
function copyRest(bytes: Buffer, from: number): Uint8Array {
  return from === bytes.length ? NO_REST : Uint8Array.prototype.slice.call(bytes, from);
}

function copyUnended(bytes: Buffer, start: number): Uint8Array {
  return bytes.length - start > STATUS_BYTES_MAX ? NO_REST : copyRest(bytes, start);
}

/** Finds where an introducer begins that the last bytes may be a part of. Its only ESC is its first byte. */
function findBeginning(bytes: Buffer, from: number): number {
  const at = bytes.lastIndexOf(ESC);
  const length = bytes.length - at;
  if (at < from || length >= INTRODUCER.length) return bytes.length;
  return bytes.subarray(at).equals(INTRODUCER.subarray(0, length)) ? at : bytes.length;
}

/**
 * Finds the end of a message. Messages are printable ASCII; any other byte except a terminator breaks a message off, as in a
 * terminal. Null: it is not complete.
 */
function findEnd(bytes: Buffer, body: number): { readonly at: number; readonly whole: boolean } | null {
  for (let at = body; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (at - body > STATUS_BYTES_MAX) return { at, whole: false };
    if (byte >= 0x20 && byte <= 0x7e) continue;
    if (byte === BEL) return { at, whole: true };
    if (byte !== ESC) return { at, whole: false };
    if (at + 1 === bytes.length) return null;
    return { at, whole: bytes[at + 1] === BACKSLASH };
  }
  return null;
}

/** Parses a message without introducer and terminator; null when it is not one. Unknown keys are for later versions. */
export function parseStatus(body: string): StatusMessage | null {
  if (body === "?" || body.startsWith("?:") || body.startsWith("?;")) return { kind: "query" };
  const fields = parseFields(body);
  const state = PROGRAM_STATES.find((known) => known === fields.get("state"));
  if (!state) return null;
  return {
    kind: "report",
    state,
    app: fields.get("app") ?? null,
    blockedOn: fields.get("kind") ?? null,
    message: decodeText(fields.get("msg")),
    part: fields.get("id") ?? null,
  };
}

function parseFields(body: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const field of body.split(":")) {
    const [, key, value] = /^([a-z][a-z0-9_-]{0,31})=(.*)$/.exec(field) ?? [];
    // If a key is repeated, the first value counts, so that nothing appended to a message changes it.
    if (key !== undefined && value !== undefined && !fields.has(key)) fields.set(key, value);
  }
  return fields;
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/** Null for text that is not base64 of UTF-8: then the state counts without its message. */
function decodeText(value: string | undefined): string | null {
  if (value === undefined || !BASE64.test(value)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(value, "base64"));
  } catch {
    return null;
  }
}
