/**
 * Arguments by which a structured call may reach more than the paths that it names. A rule for paths answers only where every other
 * argument is known to change nothing about that: a name that we do not know costs one question. Pure.
 */
import { listOtherArguments, type CallArgument } from "../../../model/data/path-arguments.js";

export function findWideningArgument(input: unknown): string | null {
  return listOtherArguments(input).find((each) => !isHarmless(each))?.name ?? null;
}

/** Parts of a file, ways to search and print, replacements, time limits. Compared without case, `-` and `_`. */
const HARMLESS: ReadonlySet<string> = new Set(
  (
    "offset limit startline endline line lines linecount viewrange insertline headlimit maxresults maxcount count page pagesize " +
    "outputmode type filetype language encoding multiline casesensitive caseinsensitive ignorecase regex regexp i n o a b c " +
    "context contextlines beforecontext aftercontext replaceall expectedreplacements oldtext newtext before after additions " +
    "deletions instruction explanation justification kind status recursive depth maxdepth ignore exclude excludes timeout " +
    "timeoutms isbackground runinbackground cellid celltype editmode modifiedbyuser"
  ).split(" "),
);
const HARMLESS_VALUES: ReadonlyMap<string, boolean> = new Map([
  ...["noignore", "hidden", "follow", "followsymlinks"].map((name) => [name, false] as const),
]);
/** Harmless where it is true: what a file of such a name lists is left out. Tools have files of their own for that. */
const RESPECTS_IGNORE_FILE = /^respect[a-z]{1,20}ignore$/;

function isHarmless({ name, value }: CallArgument): boolean {
  const plain = name.toLowerCase().replace(/[-_]/g, "");
  const isRespect = value === true && RESPECTS_IGNORE_FILE.test(plain);
  return isRespect || HARMLESS.has(plain) || HARMLESS_VALUES.get(plain) === value;
}

/** More names than these in one pattern, and it is not known where it leads. */
const NAMES_MAX = 64;
const BRACES = /\{([^{}]*,[^{}]*)\}/;

/** The names for which braces stand (`{a,b}/c`), beside the one that is written; null where they are too many. */
export function expandBraces(path: string): readonly string[] | null {
  const open = [path];
  const done: string[] = [];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const found = BRACES.exec(next);
    if (found === null) done.push(next);
    else {
      const [before, after] = [next.slice(0, found.index), next.slice(found.index + found[0].length)];
      open.push(...(found[1] ?? "").split(",").map((name) => `${before}${name}${after}`));
    }
    if (open.length + done.length > NAMES_MAX) return null;
  }
  return [...new Set([path, ...done])];
}
