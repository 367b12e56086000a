/** Tracks whether something may be written between two pieces of a tool's output without breaking a sequence or a character. */

const ESC = 0x1b;
const BEL = 0x07;
const CAN = 0x18;
const SUB = 0x1a;
const STRING_END = 0x5c;

/** `string` is ended by ST only, `osc` also by BEL. */
type State = "ground" | "escape" | "csi" | "osc" | "string";

/** What the byte after an escape character begins; any other byte completes a sequence. */
const STATE_AFTER_ESCAPE: Readonly<Partial<Record<number, State>>> = {
  0x5b: "csi",
  0x5d: "osc",
  0x50: "string",
  0x58: "string",
  0x5e: "string",
  0x5f: "string",
};

export class SequenceTracker {
  #state: State = "ground";
  /** The last bytes, to find an unfinished character. */
  #tail: readonly number[] = [];

  /** Whether the output so far ends with a complete sequence and a complete character. */
  get isBetweenSequences(): boolean {
    return this.#state === "ground" && !endsInsideCharacter(this.#tail);
  }

  /** Looks only at what follows the last escape character, which begins a new sequence in every state. */
  push(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const last = bytes.lastIndexOf(ESC);
    if (last >= 0) this.#state = "escape";
    for (let at = last + 1; at < bytes.length && this.#state !== "ground"; at += 1)
      this.#state = computeNextState(this.#state, bytes[at] ?? 0);
    this.#tail = [...this.#tail, ...bytes.subarray(-CHARACTER_BYTES_MAX)].slice(-CHARACTER_BYTES_MAX);
  }
}

function computeNextState(state: State, byte: number): State {
  if (byte === CAN || byte === SUB) return "ground";
  switch (state) {
    case "escape":
      // Intermediate bytes; what follows them ends the sequence.
      if (byte >= 0x20 && byte <= 0x2f) return "escape";
      return byte === STRING_END ? "ground" : (STATE_AFTER_ESCAPE[byte] ?? "ground");
    case "csi":
      return byte >= 0x40 && byte <= 0x7e ? "ground" : "csi";
    case "osc":
      return byte === BEL ? "ground" : "osc";
    case "string":
      return "string";
    case "ground":
      return "ground";
  }
}

/** The longest character in UTF-8. */
const CHARACTER_BYTES_MAX = 4;

function endsInsideCharacter(tail: readonly number[]): boolean {
  const back = tail.toReversed().findIndex((byte) => (byte & 0xc0) !== 0x80);
  const lead = tail.at(-1 - back) ?? 0;
  if (back < 0 || lead < 0xc0) return false;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  return back + 1 < length;
}
