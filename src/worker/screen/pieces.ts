/** Cuts output into the pieces that are parsed one by one. Pure. */

const ESC = 0x1b;
/** A slice of parsing is at least one piece: this much takes a third of a millisecond, and three at worst (ADR 28). */
const PIECE_BYTES_MAX = 16 * 1024;
/** A picture takes a few hundred bytes. Smaller steps of a flood would cost more than they show. */
const STEPS_MAX = 64;

export function splitPieces(bytes: Uint8Array): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += PIECE_BYTES_MAX)
    pieces.push(bytes.subarray(at, at + PIECE_BYTES_MAX));
  return pieces;
}

/** Splits before each sequence: without one nothing can be drawn over. */
export function splitSteps(bytes: Uint8Array): Uint8Array[] {
  const steps: Uint8Array[] = [];
  let from = 0;
  for (let at = bytes.indexOf(ESC, 1); at > 0 && steps.length < STEPS_MAX; at = bytes.indexOf(ESC, at + 1)) {
    steps.push(bytes.subarray(from, at));
    from = at;
  }
  return [...steps, bytes.subarray(from)];
}
