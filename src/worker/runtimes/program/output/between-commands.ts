/** What a program prints while it stands at its prompt: nobody has asked for it. */
import type { ProgramFile } from "../../../adapter-format/program/program-file.js";
import { measureDrawing } from "./editor-bytes.js";
import { OutputText, type OutputSize } from "../../../screen/output-text.js";

/** Whoever prints more between two commands is not read word by word. */
const BYTES_MAX = 256 * 1024;
const MORE = "[… more was printed, and is left out …]";

type Rules = ProgramFile["output"]["async_interleave"];

/** What comes stands in front of the next command's output, and is not told apart. */
export function isMerged({ capture_as: place, strategy }: Rules): boolean {
  return place === "merge" || strategy === "accept";
}

export class BetweenCommands {
  readonly #rules: Rules;
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #isCut = false;

  constructor({ output }: Pick<ProgramFile, "output">) {
    this.#rules = output.async_interleave;
  }

  /** A command ends only once nothing more comes. */
  get waitsForQuiet(): boolean {
    return this.#rules.strategy === "quiesce";
  }

  get isMerged(): boolean {
    return isMerged(this.#rules);
  }

  /** Output at the prompt, behind its end. */
  push(bytes: Uint8Array): void {
    if (this.#rules.strategy === "none") return;
    this.#isCut ||= this.#bytes > BYTES_MAX;
    if (this.#isCut) return;
    this.#chunks.push(bytes.slice());
    this.#bytes += bytes.length;
  }

  /** A person typed there: their echo cannot be told from output. */
  forget(): void {
    this.#chunks = [];
    this.#bytes = 0;
    this.#isCut = false;
  }

  /** Takes what came, without prompts that were drawn again. `prompt`: as it is drawn, or empty. */
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
