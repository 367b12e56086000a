/** Which paths a word of a command may name. Pure. */

export interface WordPaths {
  /** What a rule that answers must find inside. */
  readonly certain: readonly string[];
  /** Letters behind a short option: a file's name in `-tDIR`, further options in `-la`. */
  readonly attached: readonly string[];
}

/** A name may begin behind each of these: `of=FILE`, `HOST:FILE`, `@FILE`, `FILE,FILE`. */
const SEPARATORS = /[=:@,]/g;
/** Words with more of them, or longer options, are no names of files; they are not read to the end. */
export const PARTS_MAX = 64;

/** `isName`: a name of a file may begin with a dash there. */
export function readWordPaths(word: string, isName: boolean): WordPaths {
  // The directories before a wildcard; its matches lie below them.
  const head = word.replace(/[^/]*[*?].*$/s, "");
  const behind = [...head.matchAll(SEPARATORS)].slice(0, PARTS_MAX).map(({ index }) => head.slice(index + 1));
  if (!word.startsWith("-")) return { certain: [head === "" ? "." : head, ...drop(behind)], attached: [] };
  const inner = /[~/.].*$/s.exec(head)?.[0] ?? "";
  const attached = word.startsWith("--") ? [] : drop(listTails(head));
  const whole = isName ? [head] : [];
  return { certain: drop([...whole, ...behind, inner, ...attached.filter(isLikelyName)]), attached };
}

export function hasTooManyParts(word: string): boolean {
  const isLongOption = /^-[^-=]/.test(word) && word.length > PARTS_MAX;
  return isLongOption || (word.match(SEPARATORS)?.length ?? 0) > PARTS_MAX;
}

function listTails(option: string): string[] {
  const count = Math.min(Math.max(0, option.length - 2), PARTS_MAX);
  return Array.from({ length: count }, (_, at) => option.slice(at + 2));
}

/** Rather a name than one or two further letters, or a number. */
function isLikelyName(tail: string): boolean {
  return tail.length > 2 && !/^[0-9]+$/.test(tail);
}

function drop(paths: readonly string[]): string[] {
  return paths.filter((path) => path !== "");
}
