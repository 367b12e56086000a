import type { ProgramFile } from "./program-file.js";

/** The names and paths by which a program is looked for, in this order. */
export function listExecutables({
  name,
  process: { executable = name, executable_candidates: candidates },
}: Pick<ProgramFile, "name" | "process">): readonly string[] {
  return [...new Set([...(candidates ?? []), executable, name])];
}
