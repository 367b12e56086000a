/** The spellings of an inline yes/no, and which letter an empty Enter takes. */

export interface YesNo {
  /** The text before the spelling; empty when the question is on a row above. */
  readonly question: string;
  /** What to type. */
  readonly yes: string;
  readonly no: string;
  /** 1 for yes, 2 for no, null when neither letter is upper case or marked. */
  readonly byDefault: 1 | 2 | null;
}

/** What may follow the spelling before the cursor: `?`, `:`, a mark. */
const END = "[?:]{0,2} ?[>❯»]?$";
const SPELLINGS: readonly RegExp[] = [
  // (a third letter is a choice of its own: `inline-choices.ts`)
  // (y/n) [Y/n] (yes/no) [y|N] (yes/no/[fingerprint]) (y or [n])
  new RegExp(
    `[[(<] ?(y|yes) ?(?:/|\\||,| or ) ?(\\[?(?:n|no)\\]?)(?:/[^\\])]{2,20}\\]?)? ?[\\])>]${END}`,
    "iu",
  ),
  new RegExp(`[[(<] ?(\\[(?:y|yes)\\]) ?(?:/|\\||,| or ) ?(n|no) ?[\\])>]${END}`, "iu"),
  // [y] [n]:
  new RegExp(`\\[(y|yes)\\] ?/?\\[(n|no)\\]${END}`, "iu"),
  // Proceed? y/N
  new RegExp(`(?<=[\\s?:])(y|yes)/(n|no)${END}`, "iu"),
  // Press y to continue, n to cancel
  /\b(?:press|type|enter|hit) ['"[]?(y|yes)\b.{1,60}[\s,;]['"[]?(n|no)\b.{0,40}$/iu,
];
/** The default alone, `Is this OK? (yes) `, `Assume -R? [n] `. */
const ONE_WORD = /\? ?[[(](yes|no|y|n)[\])]:?$/iu;

export function readYesNo(text: string): YesNo | null {
  for (const spelling of SPELLINGS) {
    const match = spelling.exec(text);
    if (match) return fromMatch(text, match);
  }
  const word = ONE_WORD.exec(text);
  if (!word) return null;
  const question = text.slice(0, word.index + 1).trim();
  const [short, isYes] = [word[1]?.length === 1, /^y/iu.test(word[1] ?? "")];
  return { question, yes: short ? "y" : "yes", no: short ? "n" : "no", byDefault: isYes ? 1 : 2 };
}

function fromMatch(text: string, match: RegExpExecArray): YesNo {
  const [, yes = "y", no = "n"] = match;
  const before = text.slice(0, match.index).trim();
  // `Overwrite (y/n)?` and `Press y to …` read as a whole.
  const isWhole =
    before === "" ||
    /^[?]/u.test(
      text
        .slice(match.index)
        .replace(/^[^\])]*[\])]/u, "")
        .trim(),
    );
  return {
    question: isWhole && /[a-z]{3}/iu.test(text.trim()) ? text.trim() : before,
    yes: stripBrackets(yes),
    no: stripBrackets(no),
    byDefault: findDefault(yes, no),
  };
}

function stripBrackets(spelled: string): string {
  return spelled.replace(/[[\]]/gu, "").toLowerCase();
}

/** Upper case, or the one in brackets, marks the default. */
function findDefault(yes: string, no: string): 1 | 2 | null {
  const [yesMarked, noMarked] = [isMarked(yes), isMarked(no)];
  if (yesMarked === noMarked) return null;
  return yesMarked ? 1 : 2;
}

function isMarked(spelled: string): boolean {
  return /^\[?[YN]/u.test(spelled) || spelled.startsWith("[");
}
