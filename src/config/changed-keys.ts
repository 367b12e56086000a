/** Finds the keys that differ between two configurations. Pure. */
import { isDeepStrictEqual } from "node:util";

/** Names are at most as deep as `channels.telegram.api_root`; below are lists or secrets. */
const DEPTH_MAX = 3;

/** Dotted names without values, which may be secrets. */
export function listChangedKeys(before: unknown, after: unknown, depth = DEPTH_MAX): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (depth === 0 || !isRecord(before) || !isRecord(after)) return [""];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((name) =>
    listChangedKeys(before[name], after[name], depth - 1).map((below) =>
      below === "" ? name : `${name}.${below}`,
    ),
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
