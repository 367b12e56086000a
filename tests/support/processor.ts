/** How fast the processor is at this moment, by a fixed piece of work: limits of processor time were set on one machine, and hold on others. */

/** Processor time of one round on the machine on which the limits were set, in ms, when it was quiet. */
const ROUND_MS = 0.8;
/** Enough that the kernel's counting in hundredths of a second tells little, and half a second at most where the machine is slow. */
const ROUNDS = 200;
/** Rounds until the code is compiled. */
const WARM_UP_ROUNDS = 100;

/** A processor that is slower yet proves nothing either way: no limit grows by more. */
const SLOWNESS_MAX = 3;

const TEXT = Array.from(
  { length: 200 },
  (_, n) => `  ${n}. Allow \u001b[3${n % 8}m rm -rf build/${(n * 7919) % 1000}\u001b[0m to run? (y/n)`,
).join("\n");

/**
 * How many times as much processor time everything takes now as on the machine on which the limits were set, from 1 to SLOWNESS_MAX. It
 * takes about a third of a second.
 */
export function processorSlowness(): number {
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) readText();
  const before = process.cpuUsage();
  for (let round = 0; round < ROUNDS; round += 1) readText();
  const { user, system } = process.cpuUsage(before);
  return Math.min(SLOWNESS_MAX, Math.max(1, (user + system) / 1000 / ROUNDS / ROUND_MS));
}

/** What detection does all day: rows, patterns, words and cells. */
function readText(): number {
  const words = new Map<string, number>();
  let sum = 0;
  for (const row of TEXT.split("\n")) {
    for (const [word] of row.matchAll(/[\p{L}\d/]+/gu)) words.set(word, (words.get(word) ?? 0) + 1);
    sum += /^\s*(\d+)[.)]\s+(.*\S)\s*$/u.exec(row)?.[2]?.length ?? 0;
    const cells = Array.from(row, (char) => ({ char, code: char.codePointAt(0) ?? 0 }));
    for (const { code } of cells) sum = (sum * 31 + code) | 0;
  }
  return sum + words.size;
}
