/**
 * Separates the marks that a program prints around its prompts (OSC 633) from its output. A sequence may arrive in pieces, end in BEL or
 * ST, or never end. Only marks with the session's nonce are trusted; all others remain output.
 */
import { readMark } from "../../../adapter-format/program/prompt-sections.js";
import type { ProgramFile } from "../../../adapter-format/program/program-file.js";

/** Listed in the order in which one command prints them. `continuation`: the program waits for the rest of a command. */
export type PromptMarkKind = "prompt" | "input" | "executed" | "finished" | "property" | "continuation";

export interface PromptMark {
  readonly kind: PromptMarkKind;
  readonly values: readonly string[];
}

export type Piece =
  | { readonly kind: "output"; readonly bytes: Uint8Array }
  | { readonly kind: "mark"; readonly mark: PromptMark };

const SEQUENCE_BYTES_MAX = 16 * 1024;
/** VS Code's letter for the prompt that asks for the rest of a command. */
const CONTINUATION = "633;F";
const ESC = 0x1b;
const BEL = 0x07;
const CAN = 0x18;
const SUB = 0x1a;
const BRACKET = 0x5d;
const INTRODUCER_LENGTH = 2;
const BACKSLASH = 0x5c;
const EMPTY = new Uint8Array(0);

export interface MarkParserOptions {
  readonly markers: NonNullable<ProgramFile["prompt"]["shell_integration"]>["markers"] | null;
  /** Null: the integration script has no nonce, so every mark is trusted. */
  readonly nonce: string | null;
}

export class MarkParser {
  readonly #kinds: ReadonlyMap<string, PromptMarkKind>;
  readonly #nonce: string | null;
  #carry: Uint8Array = EMPTY;

  constructor({ markers, nonce }: MarkParserOptions) {
    this.#nonce = nonce;
    const kinds: [string, PromptMarkKind][] = [
      [markers?.prompt_start ?? "\x1b]633;A\x07", "prompt"],
      [markers?.command_input_start ?? "\x1b]633;B\x07", "input"],
      [markers?.command_executed ?? "\x1b]633;C\x07", "executed"],
      [markers?.command_finished ?? "\x1b]633;D\x07", "finished"],
      [markers?.property_update ?? "\x1b]633;P\x07", "property"],
    ];
    this.#kinds = new Map([
      ...kinds.map(([sequence, kind]): [string, PromptMarkKind] => [readMark(sequence) ?? "", kind]),
      [CONTINUATION, "continuation"],
    ]);
  }

  /** Everything of `chunk` is in this result or in a later one. */
  push(chunk: Uint8Array): Piece[] {
    const bytes: Uint8Array = this.#carry.length === 0 ? chunk : Buffer.concat([this.#carry, chunk]);
    this.#carry = EMPTY;
    const pieces: Piece[] = [];
    let from = 0;
    for (let at = bytes.indexOf(ESC); at >= 0; at = bytes.indexOf(ESC, at)) {
      const sequence = readSequence(bytes, at);
      if (sequence === "open") {
        addOutput(pieces, bytes.subarray(from, at));
        this.#carry = bytes.slice(at);
        return pieces;
      }
      const end = sequence?.end ?? at + 1;
      const mark = sequence && this.#readMark(bytes.subarray(at + INTRODUCER_LENGTH, sequence.to));
      if (mark) {
        addOutput(pieces, bytes.subarray(from, at));
        pieces.push({ kind: "mark", mark });
        from = end;
      }
      at = end;
    }
    addOutput(pieces, bytes.subarray(from));
    return pieces;
  }

  #readMark(inner: Uint8Array): PromptMark | null {
    const text = Buffer.from(inner).toString("utf8");
    const kind = this.#kinds.get(/^\d{1,4};[A-Z]/.exec(text)?.[0] ?? "");
    const [, letter = "", ...values] = text.split(";");
    if (kind === undefined || letter.length !== 1) return null;
    if (this.#nonce === null) return { kind, values };
    return values.at(-1) === this.#nonce ? { kind, values: values.slice(0, -1) } : null;
  }
}

export function readProperty({ values }: PromptMark, key: string): string | null {
  const text = values.join(";");
  if (!text.startsWith(`${key}=`)) return null;
  return text.slice(key.length + 1).replace(/\\(?:x([0-9a-f]{2})|\\)/gi, (_, hex?: string) => {
    return hex === undefined ? "\\" : String.fromCharCode(Number.parseInt(hex, 16));
  });
}

/** Where its text ends, and the whole sequence. */
interface Sequence {
  readonly to: number;
  readonly end: number;
}

/** Returns the OSC sequence at `at`; null for another kind; "open" while it is incomplete. */
function readSequence(bytes: Uint8Array, at: number): Sequence | "open" | null {
  if (at + 1 >= bytes.length) return "open";
  if (bytes[at + 1] !== BRACKET) return null;
  const from = at + INTRODUCER_LENGTH;
  const limit = Math.min(bytes.length, from + SEQUENCE_BYTES_MAX);
  for (let to = from; to < limit; to++) {
    const byte = bytes[to];
    if (byte === BEL) return { to, end: to + 1 };
    if (byte === CAN || byte === SUB) return null;
    if (byte !== ESC) continue;
    if (to + 1 >= bytes.length) return "open";
    // Another sequence cancels this one; only ST ends it.
    return bytes[to + 1] === BACKSLASH ? { to, end: to + 2 } : null;
  }
  return limit === bytes.length && limit < from + SEQUENCE_BYTES_MAX ? "open" : null;
}

function addOutput(pieces: Piece[], bytes: Uint8Array): void {
  if (bytes.length > 0) pieces.push({ kind: "output", bytes });
}
