/** Prints a console command's output. A pipe gets exactly the output; notes about it go to stderr. */
import { closeSync, readFileSync } from "node:fs";
import { OUTPUT_FILE_BYTES_MAX } from "../../model/console-call.js";
import { EXIT } from "../../model/errors.js";
import { openPlainFile } from "../../observe/files/plain-file.js";
import { makeVisible } from "../../safety/display.js";
import type { ConsoleResult } from "../../wire/calls/console-calls.js";
import { printMessage } from "../output.js";
import { removeAddedReturns } from "./added-returns.js";

export interface PrintingOptions {
  readonly raw: boolean;
  readonly isTerminal: boolean;
}

export interface PrintedOutput {
  readonly bytes: Uint8Array;
  readonly notes: readonly string[];
  /** `bytes` is only a part of the output, and the text does not show that. */
  readonly isPart: boolean;
}

export function printOutput(result: ConsoleResult, options: PrintingOptions): void {
  const { bytes, notes, isPart } = selectOutput(result, options);
  for (const each of notes) printMessage(each);
  if (isPart) process.exitCode ||= EXIT.error;
  if (bytes.length > 0) process.stdout.write(bytes);
}

export function selectOutput(result: ConsoleResult, options: PrintingOptions): PrintedOutput {
  const selected = options.raw ? selectRaw(result) : selectText(result, options.isTerminal);
  return { ...selected, notes: [...describe(result), ...selected.notes] };
}

/** Prints nothing while the command runs: `--wait` prints all bytes later. */
function selectRaw(result: ConsoleResult): PrintedOutput {
  if (result.state === "running") return { bytes: Buffer.alloc(0), notes: [], isPart: false };
  const bytes = result.rawFile === null ? Buffer.from(result.raw ?? "", "base64") : readWhole(result.rawFile);
  if (bytes === null || bytes.length < result.bytes)
    return {
      bytes: removeAddedReturns(bytes ?? Buffer.alloc(0)),
      notes: [`only ${bytes?.length ?? 0} of its ${result.bytes} bytes are there`],
      isPart: true,
    };
  return { bytes: removeAddedReturns(bytes), notes: [], isPart: false };
}

function selectText({ text, cut, file, bytes, state }: ConsoleResult, isTerminal: boolean): PrintedOutput {
  if (isTerminal) {
    const isWhole = bytes <= OUTPUT_FILE_BYTES_MAX;
    const where =
      cut > 0 && file !== null
        ? [`${isWhole ? "the whole output is" : "up to 64 MiB of the output are"} in ${file}`]
        : [];
    const ended = text === "" || text.endsWith("\n") ? text : `${text}\n`;
    // Makes visible any characters that reorder text, as on a card's screen.
    return { bytes: Buffer.from(makeVisible(ended)), notes: where, isPart: false };
  }
  if (cut === 0) return { bytes: Buffer.from(text), notes: [], isPart: false };
  const left = `${cut} characters of the output are left out`;
  // The first line of a running command's output is the mark for what was cut.
  if (state === "running")
    return { bytes: Buffer.from(text.slice(text.indexOf("\n") + 1)), notes: [left], isPart: false };
  const whole = file === null ? null : readWhole(file);
  return whole === null
    ? { bytes: Buffer.from(text), notes: [left], isPart: true }
    : { bytes: whole, notes: [], isPart: bytes > OUTPUT_FILE_BYTES_MAX };
}

/** Null: the file was removed, for example when its session ended. */
function readWhole(path: string): Buffer | null {
  try {
    const fd = openPlainFile(path);
    try {
      return readFileSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch {
    return null;
  }
}

const GOES_ON = "the command goes on; wait for it with --wait";
const NOT_ENDED = "no end of the command was seen: --wait waits on, and --input types a line there";

function describe(result: ConsoleResult): readonly string[] {
  const { outOfBand, note, state } = result;
  return [
    ...(outOfBand === "" ? [] : [`printed between commands:\n${outOfBand}`]),
    ...(note === "" ? [] : [note]),
    ...(state === "running" ? [note === "" ? GOES_ON : NOT_ENDED] : []),
    ...(state === "ended" ? ["the program has ended"] : []),
    ...(result.isIncomplete ? ["the command was not complete"] : []),
    ...(result.isExact ? [] : ["the output is not exact"]),
  ];
}
