/**
 * What a command in a console has printed, on stdout. At a terminal people read it; into a pipe goes exactly the output: no marker where
 * it was cut, no line feed that the command did not print. Everything about it goes to stderr.
 */
import { closeSync, readFileSync } from "node:fs";
import { OUTPUT_FILE_BYTES_MAX } from "../../model/console-call.js";
import { EXIT } from "../../model/errors.js";
import { openPlainFile } from "../../observe/files/plain-file.js";
import { makeVisible } from "../../safety/display.js";
import type { ConsoleResult } from "../../wire/calls/console-calls.js";
import { printMessage } from "../output.js";
import { removeAddedReturns } from "./added-returns.js";

export interface PrintingOptions {
  /** The bytes instead of what a terminal shows. */
  readonly raw: boolean;
  /** Stdout is a terminal. */
  readonly isTerminal: boolean;
}

/** What goes to stdout, and what is said about it. */
export interface PrintedOutput {
  readonly bytes: Uint8Array;
  readonly notes: readonly string[];
  /** Whoever reads `bytes` has a part of the output, and is not told so by its text. */
  readonly isPart: boolean;
}

/** Prints it. A part that a reader would take for the whole makes the exit code a failure. */
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

/** Of a command that goes on nothing: whoever waits for it gets all of its bytes. */
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
    // It may hold what turns the order of characters round, as on the screen of a card.
    return { bytes: Buffer.from(makeVisible(ended)), notes: where, isPart: false };
  }
  if (cut === 0) return { bytes: Buffer.from(text), notes: [], isPart: false };
  const left = `${cut} characters of the output are left out`;
  // The marker stands in front of what a command that goes on has printed last.
  if (state === "running")
    return { bytes: Buffer.from(text.slice(text.indexOf("\n") + 1)), notes: [left], isPart: false };
  const whole = file === null ? null : readWhole(file);
  return whole === null
    ? { bytes: Buffer.from(text), notes: [left], isPart: true }
    : { bytes: whole, notes: [], isPart: bytes > OUTPUT_FILE_BYTES_MAX };
}

/** Null: it is gone, as with the end of the session. */
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
/** The note says why it may have ended. */
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
