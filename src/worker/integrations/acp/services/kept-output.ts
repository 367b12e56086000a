/** The last bytes of a command's output as plain text, cut between characters. */
import { stripVTControlCharacters } from "node:util";

/** An unfinished control (`[`) or text (`]` and others) sequence at the end of the output. */
const UNFINISHED = /\u001b(?:[ -/]{0,8}|\[[0-?]{0,64}[ -/]{0,8}|[\]PX^_][^\u0007\u001b]{0,256}\u001b?)$/;

export class KeptOutput {
  readonly #bytesMax: number;
  readonly #decoder = new TextDecoder();
  #pieces: Buffer[] = [];
  #bytes = 0;
  #held = "";
  #truncated = false;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get truncated(): boolean {
    return this.#truncated;
  }

  push(chunk: Uint8Array): void {
    this.#take(this.#decoder.decode(chunk, { stream: true }));
  }

  end(): void {
    this.#take(this.#decoder.decode());
    this.#keep(this.#held);
    this.#held = "";
  }

  read(): string {
    const whole = Buffer.concat(this.#pieces);
    const kept = takeLatest(whole, this.#bytesMax);
    this.#pieces = [kept];
    this.#bytes = kept.length;
    return kept.toString();
  }

  #take(text: string): void {
    const all = this.#held + text;
    const unfinished = (UNFINISHED.exec(all) ?? /\r$/.exec(all))?.[0] ?? "";
    this.#held = unfinished;
    this.#keep(all.slice(0, all.length - unfinished.length));
  }

  #keep(text: string): void {
    const plain = Buffer.from(stripVTControlCharacters(text).replaceAll("\r\n", "\n"));
    this.#pieces.push(plain);
    this.#bytes += plain.length;
    this.#truncated ||= this.#bytes > this.#bytesMax;
    for (
      let [first] = this.#pieces;
      first && this.#bytes - first.length >= this.#bytesMax;
      [first] = this.#pieces
    ) {
      this.#pieces.shift();
      this.#bytes -= first.length;
    }
  }
}

function takeLatest(bytes: Buffer, bytesMax: number): Buffer {
  let from = Math.max(0, bytes.length - bytesMax);
  while (from < bytes.length && isWithinCharacter(bytes[from] ?? 0)) from += 1;
  return bytes.subarray(from);
}

function isWithinCharacter(byte: number): boolean {
  return (byte & 0b1100_0000) === 0b1000_0000;
}
