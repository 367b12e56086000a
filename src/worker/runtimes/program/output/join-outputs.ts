/** Joins the outputs of a block that was typed line by line. */
import { closeSync, readSync } from "node:fs";
import { openPlainFile } from "../../../../observe/files/plain-file.js";
import { BoundedFile } from "./bounded-file.js";
import { NO_OUTPUT, RAW_BYTES, type CapturedOutput } from "./output-capture.js";

const PIECE_BYTES = 64 * 1024;

export interface JoiningPlace {
  readonly folder: string;
  readonly name: string;
}

export function joinOutputs(
  outputs: readonly CapturedOutput[],
  { folder, name }: JoiningPlace,
): CapturedOutput {
  const [first = NO_OUTPUT] = outputs;
  if (outputs.length < 2) return first;
  const bytes = outputs.reduce((sum, output) => sum + output.bytes, 0);
  const text = new BoundedFile(folder, `${name}.txt`);
  const raw = new BoundedFile(folder, `${name}.raw`);
  const isCut = outputs.some(({ cut }) => cut > 0);
  if (isCut) for (const output of outputs) copy(output.file, output.text, text);
  const isLong = bytes > RAW_BYTES || outputs.some(({ rawFile }) => rawFile !== null);
  if (isLong) for (const output of outputs) copy(output.rawFile, output.raw, raw);
  return {
    text: outputs.map((output) => output.text).join(""),
    cut: outputs.reduce((sum, { cut }) => sum + cut, 0),
    bytes,
    file: text.close(),
    rawFile: raw.close(),
    raw: isLong ? new Uint8Array(0) : Buffer.concat(outputs.map((output) => output.raw)),
    isExact: outputs.every(({ isExact }) => isExact) && text.isWhole && raw.isWhole,
  };
}

function copy(path: string | null, whole: string | Uint8Array, target: BoundedFile): void {
  if (path === null) {
    target.write(whole);
    return;
  }
  try {
    const source = openPlainFile(path);
    try {
      const piece = Buffer.alloc(PIECE_BYTES);
      for (let read = readSync(source, piece); read > 0; read = readSync(source, piece))
        target.write(piece.subarray(0, read));
    } finally {
      closeSync(source);
    }
  } catch {
    target.isWhole = false;
  }
}
