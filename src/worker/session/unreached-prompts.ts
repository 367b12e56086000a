/** Tracks which prompts reached nobody, and why: for the window's title while they are open, and for a message at the end. */
import type { Cancel, Clock } from "../../model/clock.js";
import type { PromptId } from "../../model/ids.js";

/** A hub that has to be started first, and its channels, are ready within a few seconds; until then nothing is wrong. */
export const UNREACHED_AFTER_MS = 5_000;
/** The hub reports a card that has not arrived after five seconds. Without a report by then, the card counts as arrived. */
const REACHED_AFTER_MS = 6_500;
/** How often an open prompt is checked. */
export const LOOK_EVERY_MS = 500;

/** What the hub did with a prompt. `unanswered`: it has not replied, as a stuck hub does. */
export type HubState = "stored" | "refused" | "unanswered";

export interface SessionReach {
  readonly channels: readonly string[];
  readonly problem: string | null;
  /** Prompts of which nobody who was reached may answer, by id, with the reason. */
  readonly unreachedPrompts?: Readonly<Record<string, string>> | undefined;
}

export interface UnreachedOptions {
  readonly clock: Clock;
  /** Why no hub has the session, as far as is known; null while one has it. */
  readonly describeMissingHub: () => string | null;
  /** The open prompts, and what the hub did with them. */
  readonly openPrompts: () => ReadonlyMap<PromptId, HubState>;
  /** Called when open prompts reach nobody, with the reason; or with null when that is over. */
  readonly onChange: (problem: string | null) => void;
}

interface WaitingPrompt {
  readonly since: number;
  /** No problem was seen for so long that it must have arrived. */
  reached: boolean;
  /** A problem lasted so long that it must be shown. */
  unreached: boolean;
}

export class UnreachedPrompts {
  readonly #options: UnreachedOptions;
  readonly #waiting = new Map<PromptId, WaitingPrompt>();
  #reach: SessionReach | null = null;
  #reported: string | null = null;
  #count = 0;
  #why = "";
  #stopTimer: Cancel = () => undefined;

  constructor(options: UnreachedOptions) {
    this.#options = options;
  }

  /** A message for the user once the tool has ended; null when every prompt reached somebody, or was answered at once. */
  get summary(): string | null {
    if (this.#count === 0) return null;
    return `${this.#count === 1 ? "1 question" : `${this.#count} questions`} reached nobody: ${this.#why}`;
  }

  /** Call with what the hub reports about the people whom the session reaches. */
  noteReach(reach: SessionReach): void {
    this.#reach = reach;
    this.#check();
  }

  noteRaised(promptId: PromptId): void {
    this.#waiting.set(promptId, {
      since: this.#options.clock.monotonic(),
      reached: false,
      unreached: false,
    });
    this.#check();
  }

  /** Call when the session is over, and its prompts with it. */
  close(): void {
    this.#check();
    this.#stopTimer();
    for (const waiting of this.#waiting.values()) this.#countIfUnreached(waiting);
    this.#waiting.clear();
  }

  #check(): void {
    this.#stopTimer();
    const { clock, openPrompts, onChange } = this.#options;
    const stored = openPrompts();
    let problem: string | null = null;
    for (const [promptId, waiting] of this.#waiting) {
      const hub = stored.get(promptId);
      const found = hub && this.#findProblem(promptId, hub);
      if (found === undefined) {
        this.#waiting.delete(promptId);
        this.#countIfUnreached(waiting);
      } else if (found === null)
        waiting.reached ||= waiting.unreached || this.#hasWaitedFor(waiting, REACHED_AFTER_MS);
      else if (this.#hasWaitedFor(waiting, UNREACHED_AFTER_MS)) {
        waiting.unreached = true;
        problem = this.#why = found;
      }
    }
    if (problem !== this.#reported) onChange((this.#reported = problem));
    if (this.#waiting.size > 0) this.#stopTimer = clock.after(LOOK_EVERY_MS, () => this.#check());
  }

  #findProblem(promptId: PromptId, hub: HubState): string | null {
    const { describeMissingHub } = this.#options;
    const problem = describeMissingHub() ?? (this.#reach ? this.#reach.problem : NO_WORD);
    if (problem !== null) return problem;
    if (hub === "stored") return this.#reach?.unreachedPrompts?.[promptId] ?? null;
    return hub === "refused" ? NOT_STORED : NO_ANSWER;
  }

  #hasWaitedFor({ since }: WaitingPrompt, ms: number): boolean {
    return this.#options.clock.monotonic() - since >= ms;
  }

  #countIfUnreached({ reached, unreached }: WaitingPrompt): void {
    if (!reached && unreached) this.#count += 1;
  }
}

const NO_WORD = "the hub has not reported whom it reaches";
const NO_ANSWER = "the hub does not answer";
const NOT_STORED = "the hub could not store the prompt";
