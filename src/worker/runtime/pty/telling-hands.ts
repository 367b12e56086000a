/** Hands that tell what they write: the tracker must know of our keys before their effect can be drawn. */
import { TerminalHands } from "../../answer/terminal-hands.js";

export class TellingHands extends TerminalHands {
  onWrite: (bytes: Uint8Array) => void = () => undefined;

  override write(bytes: Uint8Array, withinMs: number): Promise<number> {
    this.onWrite(bytes);
    return super.write(bytes, withinMs);
  }
}
