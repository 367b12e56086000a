/** Whether a program has bracketed paste on: a line editor turns it off when it ends its line. */

const MODE = "\x1b[?2004";
const ON = 0x68;
const OFF = 0x6c;

export class BracketedPaste {
  isOn = false;
  #carry = Buffer.alloc(0);

  push(bytes: Uint8Array): void {
    const all = Buffer.concat([this.#carry, bytes]);
    for (let at = all.lastIndexOf(MODE); at >= 0; at = at === 0 ? -1 : all.lastIndexOf(MODE, at - 1)) {
      const final = all[at + MODE.length];
      if (final !== ON && final !== OFF) continue;
      this.isOn = final === ON;
      break;
    }
    this.#carry = all.subarray(-MODE.length);
  }
}
