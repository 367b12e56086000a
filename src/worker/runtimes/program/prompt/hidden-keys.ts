/**
 * Whether the person at the terminal has pressed a key that draws nothing and changes what the next keys do: Esc (a prefix, or the
 * command mode of vi keys), Ctrl-X, Ctrl-V and the like. What is typed behind it would be another line than the one that was sent.
 */
const ESC = 0x1b;
const BEL = 0x07;
const INTERRUPT = 0x03;
/** Ctrl-C and Enter: every editor begins a new line in the mode of its start. */
const RESETS: readonly number[] = [INTERRUPT, 0x0a, 0x0d];
/** Keys of line editors that only move, erase or complete: Ctrl-A, B, D, E, F, Backspace, Tab, Ctrl-K, L, N, P, T, U, W, Y. */
const PLAIN: readonly number[] = [1, 2, 4, 5, 6, 8, 9, 0x0b, 0x0c, 0x0e, 0x10, 0x14, 0x15, 0x17, 0x19];
const FIRST_PRINTABLE = 0x20;
/** `ESC [` and `ESC O`: arrows, function keys, pastes. */
const KEY_SEQUENCES: readonly number[] = [0x5b, 0x4f];
/** `ESC P`, `ESC ]`, `ESC X`, `ESC ^`, `ESC _`: a terminal's answers, which end with BEL or `ESC \`. */
const STRINGS: readonly number[] = [0x50, 0x5d, 0x58, 0x5e, 0x5f];
const STRING_END = 0x5c;
const FINAL_MIN = 0x40;
const FINAL_MAX = 0x7e;

type Within = "none" | "escape" | "sequence" | "string" | "string_escape";

/** What a key did with the line: Enter sent it, Ctrl-C dropped it. Null: it still stands. */
export type LineEnd = "sent" | "dropped" | null;

export class HiddenKeys {
  #within: Within = "none";
  #pressed = false;

  /** One was pressed since the last Enter or Ctrl-C. An escape sequence that has not ended counts. */
  get pressed(): boolean {
    return this.#pressed || this.#within !== "none";
  }

  /** Call with what the person types. A line that was sent counts more than one that was dropped. */
  onTyped(bytes: Uint8Array): LineEnd {
    let end: LineEnd = null;
    for (const byte of bytes) {
      if (byte === INTERRUPT) end ??= "dropped";
      // Behind Esc, Enter is another key: readline only beeps.
      else if (RESETS.includes(byte) && this.#within !== "escape") end = "sent";
      this.#within = this.#follow(byte);
    }
    return end;
  }

  /** Call when a line begins in which nothing stands. */
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
        // No answer of a terminal holds these: it was Alt with a letter.
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
