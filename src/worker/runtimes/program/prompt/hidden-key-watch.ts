/**
 * Detects that a running program has consumed invisible keys, such as an editor its Esc. Keys that it has not consumed still reach the next
 * prompt.
 */
import type { Clock } from "../../../../model/clock.js";
import type { ProgramPort } from "../program-port.js";
import type { PartialLine } from "./partial-line.js";
import type { PromptWatch } from "./prompt-watch.js";
import type { TerminalOwner } from "./terminal-owner.js";

/** A program that waits for a key gets it at once; if it waits again after this time, it has consumed the key. */
const CONSUMED_MS = 100;

export interface HiddenKeyWatchOptions {
  readonly clock: Clock;
  readonly port: Pick<ProgramPort, "readTty" | "findReaders" | "typedAt">;
  readonly watch: Pick<PromptWatch, "phase">;
  readonly owner: Pick<TerminalOwner, "isElsewhere">;
  readonly partialLine: Pick<PartialLine, "hasHiddenKey" | "forgetHiddenKeys">;
}

export class HiddenKeyWatch {
  readonly #options: HiddenKeyWatchOptions;

  constructor(options: HiddenKeyWatchOptions) {
    this.#options = options;
  }

  /** Call when the person typed while the program is not at its prompt. */
  note(): void {
    const { partialLine, clock, port } = this.#options;
    if (!partialLine.hasHiddenKey) return;
    const typedAt = port.typedAt();
    clock.after(CONSUMED_MS, () => void this.#look(typedAt));
  }

  async #look(typedAt: number): Promise<void> {
    const { partialLine, port } = this.#options;
    // A line that the kernel edits is read only after Enter.
    if (!this.#isConsumedElsewhere(typedAt) || (await port.readTty()).canonical !== false) return;
    if (this.#isConsumedElsewhere(typedAt)) partialLine.forgetHiddenKeys();
  }

  #isConsumedElsewhere(typedAt: number): boolean {
    const { port, watch, owner } = this.#options;
    const isLast = port.typedAt() === typedAt && watch.phase !== "prompt";
    return isLast && owner.isElsewhere && port.findReaders().blocked !== false;
  }
}
