/**
 * How deep JSON from outside may be nested. `JSON.parse` takes any depth, and nearly all that is done with a value afterwards goes
 * into it by recursion: a few thousand levels, 36 KB of text, end the process. So depth is refused where JSON comes in.
 */

/** Of what a tool says. No call of a tool that people could judge comes near; recursion fails at about ten times as many. */
export const LEVELS_MAX = 500;

/** Whether objects and arrays are nested in more than so many levels. By layers, not by recursion; linear. Pure. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let layer = [value].filter(isNest);
  for (let depth = 0; layer.length > 0; depth += 1) {
    if (depth === levels) return true;
    layer = layer.flatMap((nest) => Object.values(nest).filter(isNest));
  }
  return false;
}

function isNest(value: unknown): value is object {
  return value !== null && typeof value === "object";
}
