import type { CompiledAdapter } from "../adapter-format/compiled/compiled.js";
import { matches } from "../adapter-format/pattern.js";

/** Finds the command that continues the tool's session on its last screen. Null if the tool printed none. Pure. */
export function findResumeCommand(
  { resume }: Pick<CompiledAdapter, "resume">,
  screen: string | null,
): string | null {
  if (resume === null || screen === null) return null;
  const rows = screen.split("\n").map((row) => row.trim());
  return rows.findLast((row) => matches(resume, row)) ?? null;
}
