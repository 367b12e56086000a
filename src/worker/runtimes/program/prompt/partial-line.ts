/** Tracks whether the person at the terminal has begun a line, which other text would be appended to. */
import { HiddenKeys, type LineEnd } from "./hidden-keys.js";

const ENTER: readonly number[] = [0x0a, 0x0d];
/** Ctrl-C and Ctrl-U clear the line in the kernel's line editor. A program that reads key by key may keep it. */
const ERASE: readonly number[] = [0x03, 0x15];
/** These and Ctrl-D, Ctrl-Z and Ctrl-\ add no character to a line. */
const BARE: readonly number[] = [...ERASE, 0x04, 0x1a, 0x1c];

export class PartialLine {
  #sinceEnter = false;
  #sinceErased = false;
  readonly #hidden = new HiddenKeys();

  /** An invisible key was pressed that may change the meaning of the next keys. */
  get hasHiddenKey(): boolean {
    return this.#hidden.pressed;
  }

  onTyped(bytes: Uint8Array): LineEnd {
    const end = this.#hidden.onTyped(bytes);
    for (const byte of bytes) {
      const begins = !BARE.includes(byte);
      this.#sinceEnter = !ENTER.includes(byte) && (begins || this.#sinceEnter);
      this.#sinceErased = this.#sinceEnter && !ERASE.includes(byte) && (begins || this.#sinceErased);
    }
    return end;
  }

  clear(): void {
    this.#sinceEnter = this.#sinceErased = false;
    this.#hidden.clear();
  }

  /** Call when the running program has consumed the invisible keys. */
  forgetHiddenKeys(): void {
    this.#hidden.clear();
  }

  /** `canonical`: the kernel edits the line. If that is unknown, a line that was perhaps erased counts as begun. */
  stands(canonical: boolean | undefined): boolean {
    return canonical === true ? this.#sinceErased : this.#sinceEnter;
  }
}
