/**
 * Limits how many values untrusted JSON may hold, before it is parsed. `JSON.parse` needs about as long for one empty list as for a
 * thousand characters of text: a message of 32 MB that is nothing but brackets blocks a process for seconds, one that is a file's
 * content for a fraction of that.
 */

/** No request that people could judge comes near. So many values are parsed in some 50 ms. */
export const JSON_VALUES_MAX = 250_000;

const NEWLINE = 10;
const QUOTE = 34;
const COMMA = 44;
const LIST = 91;
const BACKSLASH = 92;
const OBJECT = 123;

/** Counts the values of JSON that comes in pieces, line by line. Whatever is inside a string counts nothing. */
export class JsonCost {
  #isInString = false;
  #isEscaped = false;
  #values = 0;

  /** Returns true as soon as a line holds more than JSON_VALUES_MAX values; what follows on that line is not counted any more. */
  exceeds(bytes: Uint8Array): boolean {
    for (const byte of bytes) {
      this.#count(byte);
      if (this.#values > JSON_VALUES_MAX) return true;
    }
    return false;
  }

  #count(byte: number): void {
    // A newline inside a string is escaped in JSON: this one ends the line.
    if (byte === NEWLINE) this.#reset();
    else if (this.#isEscaped) this.#isEscaped = false;
    else if (this.#isInString && byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isInString = !this.#isInString;
    else if (!this.#isInString && (byte === COMMA || byte === LIST || byte === OBJECT)) this.#values += 1;
  }

  #reset(): void {
    this.#isInString = false;
    this.#isEscaped = false;
    this.#values = 0;
  }
}

/** Whether one message holds more than JSON_VALUES_MAX values, so that it must not be parsed. Linear in its length. Pure. */
export function isCostlyJson(text: string): boolean {
  // Each value has at least one character of its own.
  return text.length > JSON_VALUES_MAX && new JsonCost().exceeds(Buffer.from(text.replaceAll("\n", " ")));
}
