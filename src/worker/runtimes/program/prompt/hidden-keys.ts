/**
 * Detects invisible keys that change the meaning of the next ones: Esc (a prefix, or the command mode of vi keys), Ctrl-X, Ctrl-V and
 * others. A line typed after one would be read as a different line.
 */
const ESC = 0x1b;
const BEL = 0x07;
const INTERRUPT = 0x03;
/** Ctrl-C and Enter begin a new line in the initial mode in every editor. */
const RESETS: readonly number[] = [INTERRUPT, 0x0a, 0x0d];
/** Keys of line editors that only move, erase or complete: Ctrl-A, B, D, E, F, Backspace, Tab, Ctrl-K, L, N, P, T, U, W, Y. */
const PLAIN: readonly number[] = [1, 2, 4, 5, 6, 8, 9, 0x0b, 0x0c, 0x0e, 0x10, 0x14, 0x15, 0x17, 0x19];
const FIRST_PRINTABLE = 0x20;
/** `ESC [` and `ESC O`: arrows, function keys, pastes. */
const KEY_SEQUENCES: readonly number[] = [0x5b, 0x4f];
/** `ESC P`, `ESC ]`, `ESC X`, `ESC ^`, `ESC _`: answers of a terminal, which end with BEL or `ESC \`. */
const STRINGS: readonly number[] = [0x50, 0x5d, 0x58, 0x5e, 0x5f];
const STRING_END = 0x5c;
const FINAL_MIN = 0x40;
const FINAL_MAX = 0x7e;

type Within = "none" | "escape" | "sequence" | "string" | "string_escape";

/** What a key did to the line: Enter sent it, Ctrl-C dropped it. Null: neither. */
export type LineEnd = "sent" | "dropped" | null;

export class HiddenKeys {
  #within: Within = "none";
  #pressed = false;

  /** True if one was pressed since the last Enter or Ctrl-C, or an escape sequence is incomplete. */
  get pressed(): boolean {
    return this.#pressed || this.#within !== "none";
  }

  /** Call with the person's keys. Returns "sent" if a line was sent and another dropped. */
  onTyped(bytes: Uint8Array): LineEnd {
    let end: LineEnd = null;
    for (const byte of bytes) {
      if (byte === INTERRUPT) end ??= "dropped";
      // After Esc, Enter is another key, at which readline only beeps.
      else if (RESETS.includes(byte) && this.#within !== "escape") end = "sent";
      this.#within = this.#follow(byte);
    }
    return end;
  }

  clear(): void {
    this.#within = "none";
    this.#pressed = false;
  }

  #follow(byte: number): Within {
    switch (this.#within) {
      case "escape":
        if (KEY_SEQUENCES.includes(byte)) return "sequence";
        if (STRINGS.includes(byte)) return "string";
        if (byte === INTERRUPT) return this.#start(byte);
        this.#pressed = true;
        return byte === ESC ? "escape" : "none";
      case "sequence":
        if (byte >= FINAL_MIN && byte <= FINAL_MAX) return "none";
        return byte < FIRST_PRINTABLE ? this.#start(byte) : "sequence";
      case "string":
        // No answer of a terminal contains these: it was Alt with a letter.
        if (RESETS.includes(byte)) return this.#start(byte);
        if (byte === ESC) return "string_escape";
        return byte === BEL ? "none" : "string";
      case "string_escape":
        return byte === STRING_END ? "none" : "string";
      case "none":
        return this.#start(byte);
    }
  }

  #start(byte: number): Within {
    if (byte === ESC) return "escape";
    if (RESETS.includes(byte)) this.#pressed = false;
    else if (byte < FIRST_PRINTABLE && !PLAIN.includes(byte)) this.#pressed = true;
    return "none";
  }
}
