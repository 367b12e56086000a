/** The part of the full number of attempts that is run, in (0, 1]. The full number is a command of its own, CI runs a part. */
const SCALE = readScale(process.env.ATB_SECURITY_SCALE);

/** How many of `full` attempts this run makes; never fewer than `least`, below which a suite would prove nothing. */
export function scaleCount(full: number, least: number): number {
  return Math.min(full, Math.max(least, Math.round(full * SCALE)));
}

function readScale(text: string | undefined): number {
  if (text === undefined) return 1;
  const scale = Number(text);
  if (!(scale > 0 && scale <= 1))
    throw new Error(`ATB_SECURITY_SCALE must be above 0 and at most 1, and is "${text}".`);
  return scale;
}
