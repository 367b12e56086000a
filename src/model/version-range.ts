/** Versions as tools print them, and ranges of them as adapter files write them: `>=2.0.76 <3`. Pure. */

type Version = readonly [major: number, minor: number, patch: number];
type Operator = ">=" | "<=" | ">" | "<" | "=";

const COMPARATOR = /^(>=|<=|>|<|=)(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?$/;
const PRINTED = /(?<![\d.])(\d{1,9})\.(\d{1,9})(?:\.(\d{1,9}))?/;
/** A range is one line of a file; more parts than this are a mistake. */
const PARTS_MAX = 8;

/** Whether the text is a range: comparisons, each with at least a major number, between blanks; all must hold. */
export function isVersionRange(text: string): boolean {
  const parts = text.split(" ");
  return parts.length <= PARTS_MAX && parts.every((part) => COMPARATOR.test(part));
}

/** The first version in what a tool printed (`2.1.329 (Claude Code)`), or null. What follows three numbers (`-beta.1`) does not count. */
export function versionIn(printed: string): string | null {
  return PRINTED.exec(printed)?.[0] ?? null;
}

/** Whether a version as `versionIn` finds it lies in a range. Missing numbers are 0. */
export function isInRange(version: string, range: string): boolean {
  const [, ...numbers] = PRINTED.exec(version) ?? [];
  return range.split(" ").every((part) => {
    const [, operator, ...bound] = COMPARATOR.exec(part) ?? [];
    return holds(operator as Operator | undefined, difference(versionOf(numbers), versionOf(bound)));
  });
}

function versionOf(numbers: readonly (string | undefined)[]): Version {
  const [major = "0", minor = "0", patch = "0"] = numbers;
  return [Number(major), Number(minor), Number(patch)];
}

/** Negative when `a` is older. */
function difference(a: Version, b: Version): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

function holds(operator: Operator | undefined, order: number): boolean {
  switch (operator) {
    case ">=":
      return order >= 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case "<":
      return order < 0;
    case "=":
      return order === 0;
    case undefined:
      return false;
  }
}
