/** Whether the person at the terminal has begun a line for what runs: what comes from outside would be joined to it. */
import { HiddenKeys, type LineEnd } from "./hidden-keys.js";

const ENTER: readonly number[] = [0x0a, 0x0d];
/** Ctrl-C and Ctrl-U: the kernel's line editor forgets the line. A program that reads key by key may keep it. */
const ERASE: readonly number[] = [0x03, 0x15];
/** These and Ctrl-D, Ctrl-Z and Ctrl-\ put nothing into a line. */
const BARE: readonly number[] = [...ERASE, 0x04, 0x1a, 0x1c];

export class BegunLine {
  #sinceEnter = false;
  #sinceErased = false;
  readonly #hidden = new HiddenKeys();

  /** A key that draws nothing may change what the next keys do. */
  get hasHiddenKey(): boolean {
    return this.#hidden.pressed;
  }

  /** Call with what the person types. */
  onTyped(bytes: Uint8Array): LineEnd {
    const end = this.#hidden.onTyped(bytes);
    for (const byte of bytes) {
      const begins = !BARE.includes(byte);
      this.#sinceEnter = !ENTER.includes(byte) && (begins || this.#sinceEnter);
      this.#sinceErased = this.#sinceEnter && !ERASE.includes(byte) && (begins || this.#sinceErased);
    }
    return end;
  }

  /** Call when a line begins in which nothing stands. */
  clear(): void {
    this.#sinceEnter = this.#sinceErased = false;
    this.#hidden.clear();
  }

  /** What runs has taken the keys that draw nothing. */
  forgetHiddenKeys(): void {
    this.#hidden.clear();
  }

  /** `canonical`: the kernel edits the line. Where that is not known, a line that was perhaps erased still stands. */
  stands(canonical: boolean | undefined): boolean {
    return canonical === true ? this.#sinceErased : this.#sinceEnter;
  }
}
