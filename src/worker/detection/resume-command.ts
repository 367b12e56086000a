import type { CompiledAdapter } from "../adapter-format/compiled/compiled.js";
import { matches } from "../adapter-format/pattern.js";

/**
 * Finds the command that continues the tool's session: the last row of its last screen, as the tool draws it. A row of the model's text may
 * look like it, so nothing else is taken. Null if the tool printed none. Pure.
 */
export function findResumeCommand(
  { resume }: Pick<CompiledAdapter, "resume">,
  screen: string | null,
): string | null {
  const last = screen?.trimEnd().split("\n").at(-1);
  return resume !== null && last !== undefined && matches(resume, last) ? last.trim() : null;
}
