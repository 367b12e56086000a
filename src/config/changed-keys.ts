/** Which keys of a configuration another one has otherwise. Pure. */
import { isDeepStrictEqual } from "node:util";

/** `channels.telegram.api_root` is as deep as a name goes: what stands below is a list or a secret. */
const DEPTH_MAX = 3;

/** By their dotted names, never with a value: it may be a secret. */
export function changedKeys(before: unknown, after: unknown, depth = DEPTH_MAX): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (depth === 0 || !isRecord(before) || !isRecord(after)) return [""];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((name) =>
    changedKeys(before[name], after[name], depth - 1).map((below) =>
      below === "" ? name : `${name}.${below}`,
    ),
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
