import { statSync } from "node:fs";
import { join } from "node:path";
import { matches } from "../../../adapter-format/pattern.js";
import type { ProgramFile } from "../../../adapter-format/program/program-file.js";
import { BlockFile } from "./block-file.js";
import { mayEndOpen } from "./here-document.js";
import { findImbalance } from "./balanced-parens.js";
import { buildPlaceholders, fill } from "../launch.js";
import { buildCdCommand } from "./quote-path.js";

/** The kernel's line editor takes 4095 bytes and loses the rest. */
export const LINE_BYTES_MAX = 4000;
/** Line editors redraw the line at each key, which is too slow for longer lines. A file is used instead. */
const TYPED_BYTES_MAX = 1500;
export const COMMAND_BYTES_MAX = 1024 * 1024;

export interface InputPlan {
  readonly lines: readonly string[];
  /** The directory that the first line changes to; null if the first line belongs to the command. */
  readonly directory: string | null;
  /** The file with the block, which the last line reads, or null. It is written just before that line and removed after the command. */
  readonly file: BlockFile | null;
}

export interface InputPlace {
  readonly folder: string;
  readonly guid: string;
  /** The directory in which to run; undefined: the current one. */
  readonly directory?: string | undefined;
}

export function planInput(command: string, program: ProgramFile, place: InputPlace): InputPlan | string {
  const { directory } = place;
  if (directory === undefined) return planCommand(command, program, place);
  const change = buildCdCommand(program, directory);
  if (change === null) return `the program cannot be taken to ${directory}`;
  if (!isDirectory(directory)) return `${directory} is no directory`;
  const plan = planCommand(command, program, place);
  return typeof plan === "string" ? plan : { ...plan, lines: [change, ...plan.lines], directory };
}

/** Whether the plan's first line has changed the directory; null if the program reports neither exit codes nor directories. */
export function isInDirectory(
  path: string,
  exitCode: number | null,
  reported: string | null,
): boolean | null {
  if (exitCode !== null) return exitCode === 0;
  return reported === null ? null : reported === path;
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function planCommand(command: string, program: ProgramFile, place: InputPlace): InputPlan | string {
  const text = command.replace(/\r\n?/g, "\n").replace(/\n+$/, "");
  const problem = findProblem(text, program);
  if (problem !== null) return problem;
  const { input } = program;
  const isBlock = text.includes("\n");
  const { needed_for: needed } = input.tempfile ?? {};
  const isChanged = needed !== undefined && matches(needed, text);
  const isHard = isBlock || isChanged || text.includes("\t") || Buffer.byteLength(text) > TYPED_BYTES_MAX;
  if (isHard && input.multiline_delivery === "encoded_scriptblock") {
    const line = encodeScriptBlock(text);
    if (line.length <= LINE_BYTES_MAX) return planTypedLines([line]);
  }
  // A block is typed line by line only if it can be seen that it is incomplete.
  const isByLine = input.multiline_detect !== "none" || input.multiline_delivery === "wrapper";
  const wantsFile =
    ["tempfile", "encoded_scriptblock"].includes(input.multiline_delivery) || (isBlock && !isByLine);
  if (isHard && wantsFile && input.tempfile) return planFile(text, input.tempfile, place);
  if (isBlock && !isByLine)
    return "it has several lines, and the program's file says no way to bring them in (input.multiline_detect)";
  if (text.includes("\t"))
    return "it contains a tab, which the program would take for a request to complete the line";
  const lines = wrap(text.split("\n"), input);
  const isLong = lines.some((line) => Buffer.byteLength(line) > LINE_BYTES_MAX);
  return isLong ? `one of its lines is longer than ${LINE_BYTES_MAX} bytes` : planTypedLines(lines);
}

function planTypedLines(lines: readonly string[]): InputPlan {
  return { lines, file: null, directory: null };
}

function findProblem(text: string, { input }: ProgramFile): string | null {
  if (Buffer.byteLength(text) > COMMAND_BYTES_MAX) return "it is longer than 1 MiB";
  const strange = /[^\P{Cc}\t\n]/u.exec(text)?.[0];
  if (strange !== undefined)
    return `it contains the control character U+${strange.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
  if (input.multiline_detect !== "balanced_parens" || !input.balanced_parens) return null;
  const imbalance = findImbalance(text, input.balanced_parens);
  return imbalance === null ? null : `it is not complete: ${imbalance}`;
}

function wrap(
  lines: readonly string[],
  {
    multiline_wrapper: wrapper,
    multiline_delivery: delivery,
    multiline_detect: detect,
  }: ProgramFile["input"],
): readonly string[] {
  const isWrapped = delivery === "wrapper" || detect === "wrapper";
  if (!wrapper || !isWrapped || wrapper.trigger === "never") return lines;
  return wrapper.trigger === "always" || lines.length > 1 ? [wrapper.open, ...lines, wrapper.close] : lines;
}

function planFile(
  text: string,
  {
    prefix,
    extension,
    path_template: template,
    invocation_template: invocation,
    ending,
  }: NonNullable<ProgramFile["input"]["tempfile"]>,
  { folder, guid }: InputPlace,
): InputPlan {
  const values = { ...buildPlaceholders({ guid }), temp_dir: folder };
  const path =
    template === undefined
      ? join(folder, `${prefix}${process.pid}-${guid}${extension}`)
      : fill(template, values);
  // An empty line precedes it, because the block may end in a backslash.
  const rest = ending === undefined || mayEndOpen(text) ? "" : `\n${ending}\n`;
  const file = new BlockFile(path, `${text}\n${rest}`);
  return { ...planTypedLines([fill(invocation, { path })]), file };
}

function encodeScriptBlock(text: string): string {
  const encoded = Buffer.from(text).toString("base64");
  return `. ([ScriptBlock]::Create([Text.Encoding]::UTF8.GetString([Convert]::FromBase64String('${encoded}'))))`;
}
