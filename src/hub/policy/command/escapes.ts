/** The form in which it is listed what a program must not be given beyond the words of a rule. */

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

/** Words of a text that lists many. */
export function list(text: string): readonly string[] {
  return text.split(" ");
}

/** Lists of names, and letters: everything else is refused. */
export function allowOnly(long: string, short: string, valued = ""): { readonly only: AllowedOptions } {
  return { only: { long: long === "" ? [] : list(long), short, valued } };
}
