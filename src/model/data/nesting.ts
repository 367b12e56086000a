/**
 * Limits how deep untrusted JSON may be nested. `JSON.parse` accepts any depth, but most later processing is recursive: a few
 * thousand levels (36 KB of text) would crash the process. So deep JSON is refused on input.
 */

/** For a tool's JSON. No tool call that people could judge comes near; recursion fails at about ten times as many levels. */
export const JSON_LEVELS_MAX = 500;

/** Whether objects and arrays are nested more than `levels` deep. Iterative and linear. Pure. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let layer = [value].filter(isContainer);
  for (let depth = 0; layer.length > 0; depth += 1) {
    if (depth === levels) return true;
    layer = layer.flatMap((container) => Object.values(container).filter(isContainer));
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return value !== null && typeof value === "object";
}
