/** Whether a secret can be read in what is shown, however it was broken over rows. */
const READABLE = 8;

/** True when so many characters of it in a row stand there, or all of a shorter one. */
export function leaks(shown: string, core: string): boolean {
  const text = unspaced(shown);
  const secret = unspaced(core);
  const length = Math.min(READABLE, secret.length);
  for (let at = 0; at + length <= secret.length; at++)
    if (text.includes(secret.slice(at, at + length))) return true;
  return false;
}

function unspaced(text: string): string {
  return text.replace(/[\s│]/g, "");
}
