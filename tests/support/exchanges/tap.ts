/** An agent with `tap.mjs` before it: what it and we say to each other, line by line. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ToolCommand } from "../real-cli/claude.js";

export interface Passed {
  readonly by: "us" | "agent";
  readonly line: string;
}

/** `file`: where to keep the lines. Whoever kills the process that this starts kills the tap and not the agent. */
export function tapped(command: ToolCommand, file: string): ToolCommand {
  const tap = join(import.meta.dirname, "tap.mjs");
  return { ...command, file: process.execPath, args: [tap, file, command.file, ...command.args] };
}

export function passedIn(file: string): Passed[] {
  return notesIn(file) as Passed[];
}

/** The whole lines of JSON in a file that may not be there yet. */
export function notesIn(file: string): unknown[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
  return lines.map((line): unknown => JSON.parse(line));
}
