/** Output is split into text and controls in the same way at every byte offset. */
import { describe, expect, it } from "vitest";
import { Tokenizer, type TokenSink } from "../../../../../src/worker/screen/emulator/tokens.js";

/** What was told, text that follows text as one. */
class Told implements TokenSink {
  readonly told: string[] = [];
  #text = 0;

  onText(bytes: number): void {
    this.#text += bytes;
  }

  onCarriageReturn(end: number): void {
    this.#add(`return ${end}`);
  }

  onLineFeed(afterReturn: boolean, end: number): void {
    this.#add(`line feed ${afterReturn} ${end}`);
  }

  onTab(end: number): void {
    this.#add(`tab ${end}`);
  }

  onCsi(final: number, prefix: number, params: Int32Array, count: number, start: number, end: number): void {
    this.#add(`csi ${final} ${prefix} ${params.slice(0, count).join()} ${start} ${end}`);
  }

  /** Of several in a row only the last one counts. */
  onOther(end: number): void {
    if (this.#text === 0 && this.told.at(-1)?.startsWith("other")) this.told.splice(-2);
    this.#add(`other ${end}`);
  }

  all(): string[] {
    this.#add("end");
    return this.told;
  }

  #add(what: string): void {
    this.told.push(`text ${this.#text}`, what);
    this.#text = 0;
  }
}

function parseTokens(pieces: readonly Uint8Array[]): string[] {
  const told = new Told();
  const tokens = new Tokenizer(told);
  for (const piece of pieces) tokens.push(piece);
  return told.all();
}

const LENGTH = 83;
/** Each place in a word, at both ends. */
const PLACES = Array.from({ length: 12 }, (_, n) => [n, LENGTH - 1 - n]).flat();
const BYTES = Array.from({ length: 256 }, (_, byte) => byte);

describe("the tokens of output", () => {
  // Long pieces are read in words of four bytes, single bytes are not: both ways must find the same.
  it.each([0, 1, 2, 3])(
    "are the same for each byte at each place of a piece that begins %i bytes off a word",
    (off) => {
      for (const byte of BYTES)
        for (const at of PLACES) {
          const piece = new Uint8Array(new ArrayBuffer(LENGTH + off), off).fill(0x61);
          piece[at] = byte;
          const single = Array.from(piece, (value) => Uint8Array.of(value));
          if (parseTokens([piece]).join() !== parseTokens(single).join())
            expect(parseTokens([piece]), `byte ${byte} at ${at}`).toEqual(parseTokens(single));
        }
    },
  );

  it("are whole texts of printable characters, and single controls", () => {
    const piece = Buffer.from(`${"x".repeat(70)}\r\nnext\t\u001b[1;3Hü\u007f`);
    expect(parseTokens([piece])).toEqual(
      [
        "text 70",
        "return 71",
        "text 0",
        "line feed true 72",
        "text 4",
        "tab 77",
        "text 0",
        "csi 72 0 1,3 77 83",
      ].concat(["text 2", "other 86", "text 0", "end"]),
    );
  });
});
