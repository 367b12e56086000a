/**
 * Detects that a running program has consumed invisible keys, such as an editor its Esc. Keys that it has not consumed still reach the next
 * prompt.
 */
import type { Clock } from "../../../../model/clock.js";
import type { ProgramPort } from "../program-port.js";
import type { BegunLine } from "./begun-line.js";
import type { PromptWatch } from "./prompt-watch.js";
import type { TerminalOwner } from "./terminal-owner.js";

/** A program that waits for a key gets it at once; if it waits again after this time, it has consumed the key. */
const TAKEN_MS = 100;

export interface KeyTakingOptions {
  readonly clock: Clock;
  readonly port: Pick<ProgramPort, "readTty" | "findReaders" | "typedAt">;
  readonly watch: Pick<PromptWatch, "phase">;
  readonly owner: Pick<TerminalOwner, "isElsewhere">;
  readonly begun: Pick<BegunLine, "hasHiddenKey" | "forgetHiddenKeys">;
}

export class KeyTaking {
  readonly #options: KeyTakingOptions;

  constructor(options: KeyTakingOptions) {
    this.#options = options;
  }

  /** Call when the person typed while the program is not at its prompt. */
  note(): void {
    const { begun, clock, port } = this.#options;
    if (!begun.hasHiddenKey) return;
    const typedAt = port.typedAt();
    clock.after(TAKEN_MS, () => void this.#look(typedAt));
  }

  async #look(typedAt: number): Promise<void> {
    const { begun, port } = this.#options;
    // A line that the kernel edits is read only after Enter.
    if (!this.#isTakenElsewhere(typedAt) || (await port.readTty()).canonical !== false) return;
    if (this.#isTakenElsewhere(typedAt)) begun.forgetHiddenKeys();
  }

  #isTakenElsewhere(typedAt: number): boolean {
    const { port, watch, owner } = this.#options;
    const isLast = port.typedAt() === typedAt && watch.phase !== "prompt";
    return isLast && owner.isElsewhere && port.findReaders().blocked !== false;
  }
}
