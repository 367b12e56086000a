/** Finds the closest known word for "Did you mean …", or null if no word is close. */

/** Longer words are rarely misspelt by a letter; this also bounds the work that a hostile file can cause. */
const WORD_LENGTH_MAX = 64;

export function findNearest(word: string, known: readonly string[]): string | null {
  if (word.length > WORD_LENGTH_MAX) return null;
  let best: { word: string; distance: number } | null = null;
  for (const candidate of known) {
    const distance = computeEditDistance(word.toLowerCase(), candidate.toLowerCase());
    if (!best || distance < best.distance) best = { word: candidate, distance };
  }
  // A third of the letters may differ: `tokn`, `delivr_to`; more would be guessing.
  return best && best.distance <= Math.max(1, Math.floor(word.length / 3)) ? best.word : null;
}

function computeEditDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min((row[j - 1] ?? 0) + 1, (previous[j] ?? 0) + 1, swap));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}
