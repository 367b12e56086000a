/** Versions as tools print them, and ranges of them as adapter files write them: `>=2.0.76 <3`. Pure. */

type Version = readonly [major: number, minor: number, patch: number];
type Operator = ">=" | "<=" | ">" | "<" | "=";

const COMPARATOR = /^(>=|<=|>|<|=)(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?$/;
/** Not part of a time, and at most three numbers: four are an IP address. */
const PRINTED = /(?<![\d.]|\d:)(\d{1,9})\.(\d{1,9})(?:\.(\d{1,9}))?(?!\.?\d)/;
/** Colours and similar sequences. */
const CONTROL_SEQUENCE = /\u001b\[[0-9;]{0,16}[A-Za-z]/g;
/** What may precede a version that begins its line. */
const LEADS = /^[ :,(/@-]{0,4}(?:version ?)?v?$/;
const BLANK = /\s/;
/** A line with a version is short; the rest of a longer line is ignored. */
const LINE_CHARS_MAX = 1000;
/** A range is one line of a file; more parts are a mistake. */
const PARTS_MAX = 8;

/** Whether the text is a range: blank-separated comparisons with at least a major number, all of which must hold. */
export function isVersionRange(text: string): boolean {
  const parts = text.split(" ");
  return parts.length <= PARTS_MAX && parts.every((part) => COMPARATOR.test(part));
}

/**
 * The version in the output of the tool `name` (`2.1.329 (Some Tool)`, `some-cli 0.52.0`), or null. Other versions may be there
 * too (a warning about Node, an available update), so the order of preference is: one that begins its line, alone or after the
 * tool's name; one in a line with that name; one of three numbers. A suffix (`-beta.1`) is ignored.
 */
export function findVersion(printed: string, name: string): string | null {
  const found = printed
    .replace(CONTROL_SEQUENCE, "")
    .split("\n")
    .flatMap((line) => rankVersions(line, name.toLowerCase()));
  return found.toSorted((a, b) => b.rank - a.rank)[0]?.version ?? null;
}

interface Ranked {
  readonly version: string;
  readonly rank: number;
}

function rankVersions(line: string, name: string): Ranked[] {
  const text = line.slice(0, LINE_CHARS_MAX).trim().toLowerCase();
  // The first word of `tool-cli version 1.2.3` is a name of the tool.
  const behindName = text.startsWith(name) ? Math.max(text.search(BLANK), name.length) : 0;
  return [...text.matchAll(new RegExp(PRINTED, "g"))].map(({ 0: version, index, 3: patch }) => {
    const begins = LEADS.test(text.slice(Math.min(behindName, index), index));
    const isNamed = text.includes(name);
    return { version, rank: (begins ? 4 : 0) + (isNamed ? 2 : 0) + (patch === undefined ? 0 : 1) };
  });
}

/** Whether a version found by `findVersion` lies in a range. Missing numbers are 0. */
export function isInRange(version: string, range: string): boolean {
  const [, ...numbers] = PRINTED.exec(version) ?? [];
  return range.split(" ").every((part) => {
    const [, operator, ...bound] = COMPARATOR.exec(part) ?? [];
    return satisfies(
      operator as Operator | undefined,
      compareVersions(parseVersion(numbers), parseVersion(bound)),
    );
  });
}

function parseVersion(numbers: readonly (string | undefined)[]): Version {
  const [major = "0", minor = "0", patch = "0"] = numbers;
  return [Number(major), Number(minor), Number(patch)];
}

/** Negative if `a` is older. */
function compareVersions(a: Version, b: Version): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

function satisfies(operator: Operator | undefined, order: number): boolean {
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
