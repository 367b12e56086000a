/** What the chat says of commands in a session's console. Pure. */
import { OUTPUT_FILE_BYTES_MAX } from "../../model/console-call.js";
import { markLineBreaks } from "../../safety/display.js";
import type { ConsoleResult, ConsoleStatus } from "../../wire/calls/console-calls.js";
import { quoteText, type SafeText } from "../delivery/notices/outcome-text.js";
import { formatDuration } from "../delivery/notices/span.js";
import { joinOutput } from "../delivery/notices/text-block.js";

/** More output between commands is visible on the screen. */
const BETWEEN_MAX = 400;

/** 128 and the number of SIGINT. */
const INTERRUPTED_CODE = 130;

export interface ToldCommand {
  readonly name: string;
  readonly quote: string;
  readonly result: ConsoleResult;
}

/** The message with a command's result and, below it, its output. */
export function describeEnd({ name, quote, result }: ToldCommand, safeText: SafeText): string {
  const facts = listFacts(result);
  // Output of programs must not look like a line that AtlasBridge wrote.
  const showLine = (line: string): string => safeText(markLineBreaks(line));
  const head = [
    `${chooseSign(result)} ${name}: ${quote}`,
    ...[...(facts.length > 0 ? [facts.join(" · ")] : []), ...listNotes(result)].map(showLine),
  ].join("\n");
  const output = safeText(result.text.replace(/\n+$/, ""));
  return output === "" ? head : joinOutput(head, output);
}

/** A program that tells no exit code tells no success either. */
function chooseSign({ state, note, exitCode, isIncomplete, isInterrupted }: ConsoleResult): string {
  if (state === "refused") return "⚠️";
  // Shells give the code of Ctrl-C to a command that it has ended; others go on, and have a code of their own.
  if (isInterrupted && (exitCode === null || exitCode === INTERRUPTED_CODE)) return "⏹";
  if (isIncomplete || note !== "") return "⚠️";
  if (exitCode === null || state !== "finished") return "▪️";
  return exitCode === 0 ? "✅" : "❌";
}

function listFacts(result: ConsoleResult): string[] {
  const { state, exitCode, durationMs, cwd, mode, level } = result;
  if (state === "refused") return [];
  return [
    ...(exitCode === null ? [] : [`exit code ${exitCode}`]),
    formatTook(durationMs),
    ...(cwd === null ? [] : [cwd]),
    ...(mode === null ? [] : [`mode ${nameMode(mode, level)}`]),
  ];
}

function listNotes(result: ConsoleResult): string[] {
  const { state, note, text, cut, file, bytes, outOfBand } = result;
  const between = outOfBand.trim();
  return [
    ...(state === "refused" ? [`Nothing was typed: ${note}.`] : note === "" ? [] : [note]),
    ...(state === "ended" ? ["The program has ended."] : []),
    ...(state === "finished" && text.trim() === "" ? ["It printed nothing."] : []),
    ...(result.isInterrupted ? ["An interrupt was sent."] : []),
    ...(result.isIncomplete ? ["The command was not complete."] : []),
    ...(result.isExact ? [] : ["The output is not exact."]),
    ...(cut > 0 ? [`${cut} characters in the middle are left out.`] : []),
    ...(cut > 0 && file !== null
      ? [
          `Until the session ends ${bytes > OUTPUT_FILE_BYTES_MAX ? "up to 64 MiB of it are" : "the whole is"} in ${file}`,
        ]
      : []),
    ...(between === "" ? [] : [`Printed before it: ${between.slice(0, BETWEEN_MAX)}`]),
  ];
}

function formatTook(ms: number): string {
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : formatDuration(ms);
}

function nameMode(mode: string, level: number | null): string {
  return level === null ? mode : `${mode}, level ${level}`;
}

export function quoteCommand(text: string, safeText: SafeText): string {
  return quoteText(text, safeText);
}

/** `doubt`: why it may have ended without anybody seeing that, or an empty text. */
export function describeGoingOn(name: string, quote: string, doubt: string): string {
  const told =
    doubt === ""
      ? `${quote} goes on. Its end comes here once it is seen.`
      : `${quote} may go on: ${doubt}. Its end comes here only if it is seen.`;
  return `⏳ ${name}: ${told} Meanwhile: interrupt, screen, or > and a line that it reads.`;
}

export function describeMode(name: string, { program, mode, level, cwd, running }: ConsoleStatus): string {
  return [
    `${name}: ${program}`,
    ...(mode === null ? ["it has no modes"] : [`mode ${nameMode(mode, level)}`]),
    ...(cwd === null ? [] : [markLineBreaks(cwd)]),
    running === null ? "no command of yours runs" : "a command runs",
  ].join(" · ");
}

export const CONSOLE_USE =
  "A text in its thread, or in reply to a message about it, is one command. Words: interrupt, mode, screen, stop. > and a text: a line for the command that runs. $ and a text: a command, whatever it says.";
