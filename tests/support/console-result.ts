import type { ConsoleResult } from "../../src/wire/calls/console-calls.js";

/** The end of a command that printed nothing and succeeded. */
export function makeConsoleResult(over: Partial<ConsoleResult>): ConsoleResult {
  return {
    id: "c1",
    state: "finished",
    note: "",
    text: "",
    cut: 0,
    bytes: 0,
    file: null,
    rawFile: null,
    styled: null,
    isExact: true,
    exitCode: 0,
    cwd: null,
    cwdReported: false,
    mode: null,
    level: null,
    captures: {},
    outOfBand: "",
    durationMs: 1,
    isIncomplete: false,
    isInterrupted: false,
    isProven: true,
    ...over,
  };
}
