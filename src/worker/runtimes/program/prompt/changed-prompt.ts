/**
 * Detects a prompt that was changed from inside (`PS1=`, `.prompt`, a new `fish_prompt`), so that it has no marks or does not match the
 * program's file.
 */
import type { Clock } from "../../../../model/clock.js";
import type { ProgramPort } from "../program-port.js";
import type { PromptWatch } from "./prompt-watch.js";
import type { TerminalOwner } from "./terminal-owner.js";

/** A program that waits for input draws its prompt at once. */
const READING_MS = 500;
/** The same if it is unknown whether it waits: drawing a prompt may be slow. */
const UNSEEN_MS = 3000;

export interface ChangedPromptOptions {
  readonly port: Pick<ProgramPort, "findReaders">;
  readonly clock: Clock;
  readonly watch: Pick<PromptWatch, "phase">;
  readonly owner: Pick<TerminalOwner, "isElsewhere">;
}

export class ChangedPrompt {
  readonly #options: ChangedPromptOptions;
  #printedAt: number;
  #isFound = false;

  constructor(options: ChangedPromptOptions) {
    this.#options = options;
    this.#printedAt = options.clock.monotonic();
  }

  noteOutput(): void {
    this.#printedAt = this.#options.clock.monotonic();
  }

  /** Call after the mark of an end. Returns whether the program waits without a known prompt. */
  look(): boolean {
    this.#isFound = this.#waits;
    return this.#isFound;
  }

  get isFound(): boolean {
    return this.#isFound && this.#options.watch.phase === "running";
  }

  clear(): void {
    this.#isFound = false;
  }

  describe(): string {
    return this.#waits ? MAY_BE_OVER : "";
  }

  get #waits(): boolean {
    const { port, watch } = this.#options;
    if (watch.phase !== "running") return false;
    const reading = port.findReaders().blocked;
    return reading !== false && this.#isQuietFor(reading === true ? READING_MS : UNSEEN_MS);
  }

  #isQuietFor(ms: number): boolean {
    const { clock, owner } = this.#options;
    return clock.monotonic() - this.#printedAt >= ms && !owner.isElsewhere;
  }
}

const MAY_BE_OVER =
  "nothing is seen of it: either it waits, as for a line, or it has ended and the program's prompt was changed";
