/** The words for yes and no that programs ask for. Where a pair is asked for, its first letters stand for the words. */
const LANGUAGES: readonly (readonly [yes: readonly string[], no: readonly string[]])[] = [
  [["yes"], ["no"]],
  [["ja"], ["nein", "nee", "nej", "nei"]],
  [["oui"], ["non"]],
  [
    ["sí", "si", "sì", "sim"],
    ["no", "não", "nao"],
  ],
  [["да"], ["нет"]],
  [["так"], ["ні"]],
  [["tak"], ["nie"]],
  [["ano"], ["ne"]],
  [["igen"], ["nem"]],
  [["evet"], ["hayır", "hayir"]],
  [["kyllä"], ["ei"]],
  [["ναι"], ["όχι", "οχι"]],
  [["是"], ["否"]],
  [["はい"], ["いいえ"]],
];

/** Whether the first is a yes and the second the no of the same language, each as a word or as its letter. */
export function isYesNo(yes: string, no: string): boolean {
  const isSpelled = (words: readonly string[], text: string): boolean =>
    words.some((word) => word === text.toLowerCase() || word.charAt(0) === text.toLowerCase());
  const isShort = yes.length === 1;
  if (isShort !== (no.length === 1) && !/\p{Script=Han}/u.test(yes)) return false;
  return LANGUAGES.some(([yeses, noes]) => isSpelled(yeses, yes) && isSpelled(noes, no));
}

/** Full-width signs as their plain ones, each in its place. */
export function toHalfWidth(text: string): string {
  return text.replace(/[\uff01-\uff5e]/gu, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0));
}
