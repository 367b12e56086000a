/** Reads a whole number of at least `least`. Anything else would run nothing and pass, so it is an error. */
export function readCount(name: string, text: string, least: number): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(count) && count >= least) return count;
  throw new Error(`${name} must be a whole number of at least ${least}, not "${text}".`);
}
