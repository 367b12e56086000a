/** Which questions reached nobody, and why: for the window's title while they stand, and for a word at the end. */
import type { Cancel, Clock } from "../../model/clock.js";
import type { PromptId } from "../../model/ids.js";

/** A hub that has to be started first, and its channels, are there within a second or three; until then nothing is wrong. */
export const UNREACHED_AFTER_MS = 5_000;
/** While a question stands, how often it is looked whether it still reaches nobody. */
export const LOOK_EVERY_MS = 500;

export interface Reach {
  readonly channels: readonly string[];
  readonly problem: string | null;
}

export interface UnreachedOptions {
  readonly clock: Clock;
  /** Why no hub has the session, as far as is known; null while one has it. */
  readonly linkProblem: () => string | null;
  /** The questions that still stand, and whether the hub has them. */
  readonly standing: () => ReadonlyMap<PromptId, boolean>;
  /** Questions stand and reach nobody, and why; or not any more (null). */
  readonly onChange: (problem: string | null) => void;
}

interface Waiting {
  readonly since: number;
  reached: boolean;
}

export class Unreached {
  readonly #options: UnreachedOptions;
  readonly #waiting = new Map<PromptId, Waiting>();
  #reach: Reach | null = null;
  #told: string | null = null;
  #count = 0;
  #why = "";
  #stopTimer: Cancel = () => undefined;

  constructor(options: UnreachedOptions) {
    this.#options = options;
  }

  /** For the user once the tool has ended; null when every question reached somebody, or was answered at once. */
  get summary(): string | null {
    if (this.#count === 0) return null;
    return `${this.#count === 1 ? "1 question" : `${this.#count} questions`} reached nobody: ${this.#why}`;
  }

  /** What the hub says of the people whom the session reaches. */
  told(reach: Reach): void {
    this.#reach = reach;
    this.#look();
  }

  raised(promptId: PromptId): void {
    this.#waiting.set(promptId, { since: this.#options.clock.monotonic(), reached: false });
    this.#look();
  }

  /** The session is over, and its questions with it. */
  close(): void {
    this.#look();
    this.#stopTimer();
    for (const waiting of this.#waiting.values()) this.#gone(waiting);
    this.#waiting.clear();
  }

  #look(): void {
    this.#stopTimer();
    const { clock, standing, onChange } = this.#options;
    const stored = standing();
    let problem: string | null = null;
    for (const [promptId, waiting] of this.#waiting) {
      const found = this.#problemOf(stored.get(promptId));
      if (!stored.has(promptId)) {
        this.#waiting.delete(promptId);
        this.#gone(waiting);
      } else if (found === null) waiting.reached = true;
      else if (this.#isLong(waiting)) problem = this.#why = found;
    }
    if (problem !== this.#told) onChange((this.#told = problem));
    if (this.#waiting.size > 0) this.#stopTimer = clock.after(LOOK_EVERY_MS, () => this.#look());
  }

  #problemOf(isStored: boolean | undefined): string | null {
    const { linkProblem } = this.#options;
    const problem = linkProblem() ?? (this.#reach ? this.#reach.problem : NO_WORD);
    return problem ?? (isStored === true ? null : NOT_STORED);
  }

  #isLong({ since }: Waiting): boolean {
    return this.#options.clock.monotonic() - since >= UNREACHED_AFTER_MS;
  }

  #gone(waiting: Waiting): void {
    if (!waiting.reached && this.#isLong(waiting)) this.#count += 1;
  }
}

const NO_WORD = "the hub has not said whom it reaches";
const NOT_STORED = "the hub could not put the question on record";
