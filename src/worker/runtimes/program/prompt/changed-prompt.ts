/**
 * A prompt that was changed from inside (`PS1=`, `.prompt`, a new `fish_prompt`): it carries no mark, or looks otherwise than the program's
 * file says, so it is not found.
 */
import type { Clock } from "../../../../model/clock.js";
import type { ProgramPort } from "../program-port.js";
import type { PromptWatch } from "./prompt-watch.js";
import type { TerminalOwner } from "./terminal-owner.js";

/** A program that waits for input draws its prompt at once. */
const READING_MS = 500;
/** The same where it is not seen whether it waits: what works out a prompt may be slow. */
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

  /** Call with each output. */
  noteOutput(): void {
    this.#printedAt = this.#options.clock.monotonic();
  }

  /** Looks whether the program waits without a prompt. Call where it has marked the end of a command. */
  look(): boolean {
    this.#isFound = this.#waits;
    return this.#isFound;
  }

  /** It was seen, and no other prompt since. */
  get isFound(): boolean {
    return this.#isFound && this.#options.watch.phase === "running";
  }

  /** Call when a line is typed: the program shows its own prompt. */
  clear(): void {
    this.#isFound = false;
  }

  /** What has to be known of a command that is not seen to end: it may have. Or an empty text. */
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
