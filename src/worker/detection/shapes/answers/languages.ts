/** The words for yes and no that programs ask for. */
const WORDS: readonly (readonly [yes: readonly string[], no: readonly string[]])[] = [
  [["yes"], ["no"]],
  [["ja"], ["nein", "nee", "nej", "nei"]],
  [["oui"], ["non"]],
  [
    ["sí", "sì", "sim"],
    ["no", "não"],
  ],
  [["да"], ["нет"]],
  [["tak"], ["nie"]],
  [["так"], ["ні"]],
  [["ano"], ["ne"]],
  [["igen"], ["nem"]],
  [["evet"], ["hayır"]],
  [["kyllä"], ["ei"]],
  [["ναι"], ["όχι"]],
  [["是"], ["否"]],
  [["はい"], ["いいえ"]],
];
/** The letters of yes and no. Pairs with another possible meaning, as `o/n` for old and new, count only with one capital: the default. */
const LETTERS: readonly string[] = ["yn", "jn", "дн", "тн"];
const LETTERS_WITH_DEFAULT: readonly string[] = ["On", "oN", "Sn", "sN", "Tn", "tN"];

/** Whether the first is a yes and the second the no of the same language, both as words or both as letters. */
export function isYesNo(first: string, second: string): boolean {
  const [yes, no] = [first.toLowerCase(), second.toLowerCase()];
  if (LETTERS.includes(yes + no) || LETTERS_WITH_DEFAULT.includes(first + second)) return true;
  return WORDS.some(([yeses, noes]) => yeses.includes(yes) && noes.includes(no));
}

/** Full-width signs as their plain ones, each in its place. */
export function toHalfWidth(text: string): string {
  return text.replace(/[\uff01-\uff5e]/gu, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0));
}
