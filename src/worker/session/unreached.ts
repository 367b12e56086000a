/** Which questions reached nobody, and why: for the window's title while they stand, and for a word at the end. */
import type { Cancel, Clock } from "../../model/clock.js";
import type { PromptId } from "../../model/ids.js";

/** A hub that has to be started first, and its channels, are there within a second or three; until then nothing is wrong. */
export const UNREACHED_AFTER_MS = 5_000;
/** The hub reports a card that has not arrived after five seconds. Without a report by then, the card counts as arrived. */
const REACHED_AFTER_MS = 6_500;
/** While a question stands, how often it is looked whether it still reaches nobody. */
export const LOOK_EVERY_MS = 500;

/** What the hub made of a prompt. `unanswered`: it has said nothing, as a stuck hub does. */
export type HubState = "stored" | "refused" | "unanswered";

export interface SessionReach {
  readonly channels: readonly string[];
  readonly problem: string | null;
}

export interface UnreachedOptions {
  readonly clock: Clock;
  /** Why no hub has the session, as far as is known; null while one has it. */
  readonly linkProblem: () => string | null;
  /** The questions that still stand, and what the hub made of them. */
  readonly standing: () => ReadonlyMap<PromptId, HubState>;
  /** Questions stand and reach nobody, and why; or not any more (null). */
  readonly onChange: (problem: string | null) => void;
}

interface Waiting {
  readonly since: number;
  /** Nothing was wrong for so long that it must have arrived. */
  reached: boolean;
  /** Something was, for so long that somebody was to be told. */
  unreached: boolean;
}

export class UnreachedPrompts {
  readonly #options: UnreachedOptions;
  readonly #waiting = new Map<PromptId, Waiting>();
  #reach: SessionReach | null = null;
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
  told(reach: SessionReach): void {
    this.#reach = reach;
    this.#look();
  }

  raised(promptId: PromptId): void {
    this.#waiting.set(promptId, {
      since: this.#options.clock.monotonic(),
      reached: false,
      unreached: false,
    });
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
      const hub = stored.get(promptId);
      const found = hub && this.#problemOf(hub);
      if (found === undefined) {
        this.#waiting.delete(promptId);
        this.#gone(waiting);
      } else if (found === null)
        waiting.reached ||= waiting.unreached || this.#stoodFor(waiting, REACHED_AFTER_MS);
      else if (this.#stoodFor(waiting, UNREACHED_AFTER_MS)) {
        waiting.unreached = true;
        problem = this.#why = found;
      }
    }
    if (problem !== this.#told) onChange((this.#told = problem));
    if (this.#waiting.size > 0) this.#stopTimer = clock.after(LOOK_EVERY_MS, () => this.#look());
  }

  #problemOf(hub: HubState): string | null {
    const { linkProblem } = this.#options;
    const problem = linkProblem() ?? (this.#reach ? this.#reach.problem : NO_WORD);
    if (problem !== null || hub === "stored") return problem;
    return hub === "refused" ? NOT_STORED : NO_ANSWER;
  }

  #stoodFor({ since }: Waiting, ms: number): boolean {
    return this.#options.clock.monotonic() - since >= ms;
  }

  #gone({ reached, unreached }: Waiting): void {
    if (!reached && unreached) this.#count += 1;
  }
}

const NO_WORD = "the hub has not said whom it reaches";
const NO_ANSWER = "the hub does not answer";
const NOT_STORED = "the hub could not put the question on record";
