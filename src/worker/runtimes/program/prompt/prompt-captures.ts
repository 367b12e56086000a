/** Reads named groups from a program's prompt. `line`: its text; null if only marks show it. */
import type { ProgramFile } from "../../../adapter-format/program/program-file.js";
import { matchPrompt } from "./prompt-pattern.js";

type Prompted = Pick<ProgramFile, "prompt">;

export function readCaptures(
  { prompt }: Prompted,
  line: string | null,
): Readonly<Record<string, string | number>> {
  const { primary, group_captures: captures } = prompt;
  const found = primary === undefined || line === null ? null : matchPrompt(primary, line);
  return Object.fromEntries(
    captures.flatMap(({ name, group, type }) => {
      const text = found?.groups[group - 1];
      return text === undefined ? [] : [[name, type === "int" ? Number(text) : text]];
    }),
  );
}

export function readLevel(program: Prompted, line: string | null): number | null {
  const named = program.prompt.group_captures.find(({ role }) => role === "nesting_level")?.name;
  const text = named === undefined ? undefined : readCaptures(program, line)[named];
  return text === undefined || !Number.isInteger(Number(text)) ? null : Number(text);
}
