/** A driver that reports what it writes: the tracker must know of our keys before their effect can be drawn. */
import type { Clock } from "../../../model/clock.js";
import { TerminalDriver, type RunFacts } from "../../answer/terminal-driver.js";
import type { Screen } from "../../screen/screen.js";
import type { Terminal } from "../../process/terminal.js";

export interface TellingFacts extends RunFacts {
  readonly onWrite: (bytes: Uint8Array) => void;
}

export class ReportingDriver extends TerminalDriver {
  readonly #onWrite: TellingFacts["onWrite"];

  constructor(terminal: Terminal, screen: Screen, clock: Clock, facts: TellingFacts) {
    super(terminal, screen, clock, facts);
    this.#onWrite = facts.onWrite;
  }

  override write(bytes: Uint8Array, withinMs: number): Promise<number> {
    this.#onWrite(bytes);
    return super.write(bytes, withinMs);
  }
}
