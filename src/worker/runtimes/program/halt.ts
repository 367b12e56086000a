import type { ProgramPort } from "./program-port.js";

/** Ends what was asked of a program and is not typed yet: AtlasBridge was paused, or the console was closed. */
export class Halt {
  #current = new AbortController();

  /** Of what is asked now: it is aborted by the next `order`, with its reason. */
  get signal(): AbortSignal {
    return this.#current.signal;
  }

  /** Nothing more is typed of what was asked until now. */
  order(reason: string): void {
    this.#current.abort(reason);
    this.#current = new AbortController();
  }
}

/** Why nothing more may be typed, or null. */
export function findHalt(signal: AbortSignal): string | null {
  return signal.aborted ? String(signal.reason) : null;
}

/** A program that does not take a line within this time does not read. */
const WRITE_LIMIT_MS = 5000;

/** Resolves with the number of bytes that went in before the halt or the limit: the rest is proved not written. */
export function writeUntilHalt(
  { terminal }: Pick<ProgramPort, "terminal">,
  bytes: Uint8Array,
  halt: AbortSignal,
): Promise<number> {
  return terminal.write(bytes, { signal: AbortSignal.any([halt, AbortSignal.timeout(WRITE_LIMIT_MS)]) });
}
