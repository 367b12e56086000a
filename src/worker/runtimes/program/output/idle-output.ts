import type { ProgramFile } from "../../../adapter-format/program/program-file.js";
import { measureDrawing } from "./editor-bytes.js";
import { OutputText, type OutputSize } from "../../../screen/output-text.js";

const BYTES_MAX = 256 * 1024;
const MORE = "[… more was printed, and is left out …]";

type Rules = ProgramFile["output"]["async_interleave"];

/** The text is added at the beginning of the next command's output. */
export function isMerged({ capture_as: place, strategy }: Rules): boolean {
  return place === "merge" || strategy === "accept";
}

export class IdleOutput {
  readonly #rules: Rules;
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #isCut = false;

  constructor({ output }: Pick<ProgramFile, "output">) {
    this.#rules = output.async_interleave;
  }

  get waitsForQuiet(): boolean {
    return this.#rules.strategy === "quiesce";
  }

  get isMerged(): boolean {
    return isMerged(this.#rules);
  }

  push(bytes: Uint8Array): void {
    if (this.#rules.strategy === "none") return;
    this.#isCut ||= this.#bytes > BYTES_MAX;
    if (this.#isCut) return;
    this.#chunks.push(bytes.slice());
    this.#bytes += bytes.length;
  }

  /** Call when a person types: the echo cannot be distinguished from output. */
  forget(): void {
    this.#chunks = [];
    this.#bytes = 0;
    this.#isCut = false;
  }

  take(size: OutputSize, prompt: string): string {
    let text = "";
    const transcript = new OutputText(size, (piece) => (text += piece));
    for (const chunk of this.#withoutDrawing()) transcript.write(chunk);
    transcript.end();
    if (this.#isCut) text = `${text.replace(/\n$/u, "")}\n${MORE}`;
    this.forget();
    const lines = text
      .split("\n")
      .map((line) => (prompt !== "" && line.startsWith(prompt) ? line.slice(prompt.length) : line));
    const own = lines.filter((line) => line.trim() !== "").join("\n");
    return this.#rules.capture_as === "discard" ? "" : own;
  }

  #withoutDrawing(): readonly Uint8Array[] {
    const all = Buffer.concat(this.#chunks);
    return [this.#rules.strategy === "accept" ? all : all.subarray(0, all.length - measureDrawing(all))];
  }
}
