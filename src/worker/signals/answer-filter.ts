/**
 * Removes one late OSC 7501 answer of the host's terminal from the tool's input, because the tool already got ours. All other
 * bytes pass, and a key is never delayed.
 */
const INTRODUCER = Buffer.from("\u001b]7501;");
/** Terminals answer in milliseconds; over a slow line it may take seconds. */
const EXPECTED_WITHIN_MS = 10_000;
/** `?`, perhaps a version, and the terminator. */
const ANSWER_BYTES_MAX = 64;
/** The first two bytes are also Alt-]; with the third it cannot be a key any more. */
const HELD_FROM_BYTES = 3;

export class AnswerFilter {
  #until = -Infinity;
  #held: Uint8Array = Buffer.alloc(0);

  /** Call when we answered the tool, with the monotonic ms. */
  expect(now: number): void {
    this.#until = now + EXPECTED_WITHIN_MS;
  }

  /** Returns the bytes that go to the tool instead of these. Bytes that are held back come with the next ones. */
  filter(chunk: Uint8Array, now: number): Uint8Array {
    if (this.#held.length === 0 && now >= this.#until) return chunk;
    const bytes = Buffer.concat([this.#held, chunk]);
    this.#held = Buffer.alloc(0);
    if (now >= this.#until) return bytes;
    const start = bytes.indexOf(INTRODUCER);
    return start < 0 ? this.#holdBeginning(bytes) : this.#takeOut(bytes, start);
  }

  #takeOut(bytes: Buffer, start: number): Uint8Array {
    const end = findAnswerEnd(bytes, start + INTRODUCER.length);
    if (end === null && bytes.length - start <= ANSWER_BYTES_MAX) return this.#hold(bytes, start);
    this.#until = -Infinity;
    return end === null ? bytes : Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]);
  }

  #holdBeginning(bytes: Buffer): Uint8Array {
    for (let length = INTRODUCER.length - 1; length >= HELD_FROM_BYTES; length--) {
      if (bytes.subarray(-length).equals(INTRODUCER.subarray(0, length)))
        return this.#hold(bytes, bytes.length - length);
    }
    return bytes;
  }

  #hold(bytes: Buffer, from: number): Uint8Array {
    this.#held = bytes.subarray(from);
    return bytes.subarray(0, from);
  }
}

/** Finds where the answer that begins at `from` ends; null when it is not complete, or is no valid answer. */
function findAnswerEnd(bytes: Buffer, from: number): number | null {
  const [answer] =
    /^\?[ -~]{0,48}(?:\x07|\x1b\\)/.exec(bytes.toString("latin1", from, from + ANSWER_BYTES_MAX)) ?? [];
  return answer === undefined ? null : from + answer.length;
}
