import type { ProgramPort } from "./program-port.js";

/** Cancels whatever was requested and is not typed yet, because AtlasBridge was paused or the console was closed. */
export class Halt {
  #current = new AbortController();

  get signal(): AbortSignal {
    return this.#current.signal;
  }

  order(reason: string): void {
    this.#current.abort(reason);
    this.#current = new AbortController();
  }
}

/** Returns why nothing more may be typed, or null. */
export function findHaltReason(signal: AbortSignal): string | null {
  return signal.aborted ? String(signal.reason) : null;
}

/** A program that takes longer to accept a line is not reading. */
const WRITE_LIMIT_MS = 5000;

/** Resolves with the number of bytes written before the halt or the time limit; the rest was certainly not written. */
export function writeUntilHalt(
  { terminal }: Pick<ProgramPort, "terminal">,
  bytes: Uint8Array,
  halt: AbortSignal,
): Promise<number> {
  return terminal.write(bytes, { signal: AbortSignal.any([halt, AbortSignal.timeout(WRITE_LIMIT_MS)]) });
}
