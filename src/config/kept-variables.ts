/** The variables that `environment.keep_in_tools` names. Apart from the rest: only a file with that key pays for the YAML reader. */
import { parse } from "yaml";

/** Empty for whatever is no such list; what is wrong with the file is told by `loadConfig`. */
export function keptVariables(text: string): readonly unknown[] {
  try {
    const parsed = parse(text) as Partial<Record<string, Partial<Record<string, unknown>>>> | null;
    const kept = parsed?.["environment"]?.["keep_in_tools"];
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}
