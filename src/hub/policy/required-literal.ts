/**
 * A text that whatever matches a pattern must hold, read from the pattern's source: looking for it is some thousand times faster than
 * the automaton, and most texts do not hold it. When in doubt there is none. Pure.
 */
export interface RequiredLiteral {
  /** Folded, if case does not count. */
  readonly text: string;
  readonly ignoresCase: boolean;
}

const LITERAL_MIN = 3;

const LEADING_FLAGS = /^\(\?([a-zA-Z]*)(?:-[a-zA-Z]*)?\)/;
/** Flags that change in the middle, and quoted parts. */
const UNREAD = /\(\?[a-zA-Z]*(?:-[a-zA-Z]+)?\)|\\[QE]/;

/** `source` compiles as RE2. Null: none was found. */
export function findRequiredLiteral(source: string): RequiredLiteral | null {
  const flags = LEADING_FLAGS.exec(source);
  const body = source.slice(flags?.[0].length ?? 0);
  const ignoresCase = flags?.[1]?.includes("i") === true;
  const runs = UNREAD.test(body) ? null : listRuns(body);
  const longest = runs?.reduce((best, run) => (run.length > best.length ? run : best), "") ?? "";
  if (longest.length < LITERAL_MIN) return null;
  return { text: ignoresCase ? foldCase(longest) : longest, ignoresCase };
}

/** As RE2 does for ASCII letters: the Kelvin sign is a k, the long s an s. */
export function foldCase(text: string): string {
  return text.toLowerCase().replaceAll("\u017f", "s");
}

/** Characters in a row that must be there as they are; null where alternatives stand beside one another. */
function listRuns(body: string): readonly string[] | null {
  const runs: string[] = [];
  let run = "";
  const end = (): void => {
    runs.push(run);
    run = "";
  };
  for (let at = 0; at < body.length; at += 1) {
    const sign = body.charAt(at);
    if (sign === "|") return null;
    if (/[A-Za-z0-9 _/@:=,%#&~'"<>;!-]/.test(sign)) run += sign;
    else if (sign === "\\" && /[^A-Za-z0-9\u0080-\uffff]/.test(body.charAt(at + 1))) {
      run += body.charAt((at += 1));
    } else {
      // What may be missing is not required.
      if (sign === "?" || sign === "*" || sign === "{") run = run.slice(0, -1);
      end();
      const next = findEnd(body, at);
      if (next === null) return null;
      at = next;
    }
  }
  end();
  return runs;
}

/** The last index of the part that begins there; null if it is not understood. */
function findEnd(body: string, at: number): number | null {
  switch (body.charAt(at)) {
    case "(":
      return findGroupEnd(body, at);
    case "[":
      return findClassEnd(body, at);
    case "{": {
      const end = body.indexOf("}", at);
      return end < 0 ? null : end;
    }
    case "\\":
      // \pL and \p{Greek}, \x41 and \x{10FFFF}, \123, \d, \b.
      return /[a-zA-Z]/.test(body.charAt(at + 1)) && !/[pPxC]/.test(body.charAt(at + 1)) ? at + 1 : null;
    default:
      return at;
  }
}

function findGroupEnd(body: string, start: number): number | null {
  let depth = 0;
  for (let at = start; at < body.length; at += 1) {
    const sign = body.charAt(at);
    if (sign === "\\") at += 1;
    else if (sign === "(") depth += 1;
    else if (sign === ")" && (depth -= 1) === 0) return at;
    else if (sign === "[") {
      const end = findClassEnd(body, at);
      if (end === null) return null;
      at = end;
    }
  }
  return null;
}

function findClassEnd(body: string, start: number): number | null {
  let at = start + (body.charAt(start + 1) === "^" ? 2 : 1);
  if (body.charAt(at) === "]") at += 1;
  for (; at < body.length; at += 1) {
    const sign = body.charAt(at);
    if (sign === "]") return at;
    if (sign === "\\") at += 1;
    else if (body.startsWith("[:", at)) {
      const end = body.indexOf(":]", at);
      if (end < 0) return null;
      at = end + 1;
    }
  }
  return null;
}
