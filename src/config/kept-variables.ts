/**
 * Reads the variables in `environment.keep_in_tools`. A separate file, so that only configurations with this key load the YAML
 * reader.
 */
import { parse } from "yaml";

/** Empty for anything that is not such a list; `loadConfig` reports the problem. */
export function readKeptVariables(text: string): readonly unknown[] {
  try {
    const parsed = parse(text) as Partial<Record<string, Partial<Record<string, unknown>>>> | null;
    const kept = parsed?.["environment"]?.["keep_in_tools"];
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}
