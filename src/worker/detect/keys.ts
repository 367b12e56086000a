/** What a person typed, key by key: an arrow is no Esc, and pasted text is no key. */

const PASTE_START = "\u001b[200~";
const PASTE_END = "\u001b[201~";
// Terminal answers and reports come as such sequences, too: CSI (mouse, focus, status), SS3, OSC, DCS.
const SEQUENCE =
  /^\u001b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|O[ -~]|[\]P][^\u0007\u001b]{0,4096}(?:\u0007|\u001b\\))/;

/** Single keys of one read. An ESC at the very end is the Esc key; text inside a paste is left out. */
export function keysOf(input: string): string[] {
  const keys: string[] = [];
  for (let rest = input; rest !== "";) {
    const length = keyLength(rest);
    if (!rest.startsWith(PASTE_START)) keys.push(rest.slice(0, length));
    rest = rest.slice(length);
  }
  return keys;
}

function keyLength(rest: string): number {
  if (rest.startsWith(PASTE_START)) {
    const end = rest.indexOf(PASTE_END);
    return end < 0 ? rest.length : end + PASTE_END.length;
  }
  const sequence = SEQUENCE.exec(rest);
  if (sequence) return sequence[0].length;
  return String.fromCodePoint(rest.codePointAt(0) ?? 0).length;
}

/** Whether a local read holds a key that settles this prompt. */
export function commits(input: Uint8Array, committingKeys: readonly string[]): boolean {
  return keysOf(Buffer.from(input).toString("utf8")).some((key) => committingKeys.includes(key));
}
