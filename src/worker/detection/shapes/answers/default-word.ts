/** The answer that a bare Enter takes, named at the end of a question: `[default=no]`, `(default: 1)`, `(default is "Y")`, `(y)`, `<y>`. */

export interface NamedDefault {
  readonly before: string;
  readonly word: string;
}

const NAMED =
  /\s?[[(<] ?(?:default(?: is)? ?[:=]? ?)?["'`“‘]?([^\s"'`“”‘’()[\]<>/|,;]{1,30})["'`”’]? ?[\])>] ?:?$/iu;

export function readNamedDefault(text: string): NamedDefault | null {
  const found = NAMED.exec(text);
  return found && { before: text.slice(0, found.index).trimEnd(), word: found[1] ?? "" };
}

/** The 1-based answer that the word names: exactly, else in any case if only one matches. */
export function findNamed(answers: readonly { label: string; value: string }[], word: string): number | null {
  const exact = answers.findIndex(({ label, value }) => label === word || value === word);
  if (exact >= 0) return exact + 1;
  const lower = word.toLowerCase();
  const alike = answers.flatMap(({ label, value }, index) =>
    [label, value].some((each) => each.toLowerCase() === lower) ? [index + 1] : [],
  );
  return alike.length === 1 ? (alike[0] ?? null) : null;
}
