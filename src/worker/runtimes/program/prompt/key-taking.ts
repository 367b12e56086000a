/**
 * Finds out that keys which draw nothing were taken by what runs, as Esc by an editor. The same key that is typed ahead of a prompt would
 * still come there, and change what is typed next.
 */
import type { Clock } from "../../../../model/clock.js";
import type { ProgramPort } from "../program-port.js";
import type { BegunLine } from "./begun-line.js";
import type { PromptWatch } from "./prompt-watch.js";
import type { TerminalOwner } from "./terminal-owner.js";

/** A program that waits for a key gets it at once: whoever waits again so much later has taken it. */
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

  /** Call when the person has typed while the program is not at its prompt. */
  note(): void {
    const { begun, clock, port } = this.#options;
    if (!begun.hasHiddenKey) return;
    const typedAt = port.typedAt();
    clock.after(TAKEN_MS, () => void this.#look(typedAt));
  }

  async #look(typedAt: number): Promise<void> {
    const { begun, port } = this.#options;
    // A line that the kernel edits is taken only with its Enter.
    if (!this.#isTakenElsewhere(typedAt) || (await port.readTty()).canonical !== false) return;
    if (this.#isTakenElsewhere(typedAt)) begun.forgetHiddenKeys();
  }

  /** Something that the program started has the terminal, waits for keys, and nothing was typed since. */
  #isTakenElsewhere(typedAt: number): boolean {
    const { port, watch, owner } = this.#options;
    const isLast = port.typedAt() === typedAt && watch.phase !== "prompt";
    return isLast && owner.isElsewhere && port.findReaders().blocked !== false;
  }
}
