/** The form in which it is listed what a program must not be given beyond the words of a rule. */
import { assertInvariant } from "../../../model/errors.js";

export interface Escapes {
  /** Long options, without dashes: abbreviations and longer names count, and neither case nor dashes tell them apart. */
  readonly long?: readonly string[];
  /** They count wherever a word of the option's name is one of them: `--unzip-command`. */
  readonly byWord?: true;
  /** Letters of short options; in a cluster, too. */
  readonly short?: string;
  /** Other words. */
  readonly words?: RegExp;
  /** Every other option is refused. */
  readonly only?: AllowedOptions;
  /** Behind `--`; without it, `only` holds there as well. */
  readonly onlyBehind?: AllowedOptions;
  /** Words that are no options: those of the rule and what follows. Each further one is another target, or a file that is written. */
  readonly maxWords?: number;
  /** The program writes its words into a line for a shell. */
  readonly isShellLine?: true;
  /** What a rule for the program alone lets follow its name: others run anything, or are names that somebody gave (`git` aliases). */
  readonly ownWords?: readonly string[];
  /** Letters of options may stand without a dash behind the name. */
  readonly hasBareLetters?: true;
  /** It holds for the words of the rule as well: they, too, may contain evaluated text. */
  readonly readsRule?: true;
}

export interface AllowedOptions {
  /** Names without dashes. */
  readonly long: readonly string[];
  readonly short: string;
  /** Letters behind which the rest of the word is a value. */
  readonly valued?: string;
  /** Words as they are written. */
  readonly exact?: readonly string[];
  /** Long options stand behind a single dash. */
  readonly isSingleDash?: true;
}

/**
 * Reads a table of programs: a line for each, which further lines with a blank before them continue, and `#` before comments. A line is
 * `name, name: field; field`. The fields: `not`, `not-letters` and `not-words` are what is refused, `only`, `letters`, `valued`, `exact`
 * and `one-dash` what is allowed (`AllowedOptions`), with `behind` before those that hold behind `--`; the others are those of `Escapes`.
 */
export function readEscapes(table: string): Readonly<Record<string, Escapes>> {
  const lines = table.split(/\n(?! )/).filter((line) => line !== "" && !line.startsWith("#"));
  return Object.fromEntries(
    lines.flatMap((line) => {
      const [names = "", fields = ""] = line.replace(/\s+/g, " ").split(/:(?: |$)(.*)/s);
      const escapes = readFields(fields === "" ? [] : fields.split("; "));
      return names.split(", ").map((name) => [name, escapes]);
    }),
  );
}

type Draft<T> = { -readonly [K in keyof T]: T[K] };

function readFields(fields: readonly string[]): Escapes {
  const escapes: Draft<Escapes> = {};
  let allowed: Draft<AllowedOptions> = { long: [], short: "" };
  let isBehind = false;
  for (const field of fields) {
    const [name = "", text = ""] = field.split(/ (.*)/s);
    const words = text === "" ? [] : text.split(" ");
    if (name === "not") escapes.long = words;
    else if (name === "not-letters") escapes.short = text;
    else if (name === "not-words") escapes.words = readPattern(text);
    else if (name === "own") escapes.ownWords = words;
    else if (name === "max-words") escapes.maxWords = Number(text);
    else if (name === "shell-line") escapes.isShellLine = true;
    else if (name === "bare-letters") escapes.hasBareLetters = true;
    else if (name === "reads-rule") escapes.readsRule = true;
    else if (name === "behind") isBehind = true;
    else if (name === "only") {
      allowed = { long: words, short: "" };
      escapes[isBehind ? "onlyBehind" : "only"] = allowed;
    } else if (name === "letters") allowed.short = text;
    else if (name === "valued") allowed.valued = text;
    else if (name === "exact") allowed.exact = words;
    else if (name === "one-dash") allowed.isSingleDash = true;
    else assertInvariant(false, `no field of a program is called ${name}`);
  }
  return escapes;
}

/** A regular expression as in code: `/^@/i`. */
function readPattern(text: string): RegExp {
  const end = text.lastIndexOf("/");
  return new RegExp(text.slice(1, end), text.slice(end + 1));
}
