/** Text as people label it against text as a terminal breaks it over rows. */

/** A label is one line however many rows it took; where a row broke, nobody can tell if a blank stood there. */
export function isSameLabel(a: string, b: string): boolean {
  return withoutBlanks(a) === withoutBlanks(b);
}

/**
 * Whether `whole` holds `part`. A row may break anywhere, and a tool indents what it continues; but a blank stands for a
 * blank: `rm -rf / tmp` does not hold `rm -rf /tmp`.
 */
export function containsText(whole: string, part: string): boolean {
  if (whole.includes(part)) return true;
  const words = part.trim().split(/\s+/).map(buildBreakablePattern);
  return new RegExp(words.join("\\s{1,200}"), "u").test(whole);
}

function buildBreakablePattern(text: string): string {
  return [...text].map(escapeLiteral).join("(?:\\n[ \\t]{0,80})?");
}

function escapeLiteral(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/]/u, "\\$&");
}

function withoutBlanks(text: string): string {
  return text.replace(/\s+/gu, "");
}
