/** Determines which open prompts reach nobody, and why: for a notice while they are open, and a message at the end. */
import type { Cancel, Clock } from "../../model/clock.js";
import type { PromptId } from "../../model/ids.js";

/** A new hub and its channels are ready within a few seconds. */
export const UNREACHED_AFTER_MS = 5_000;
/** The hub reports a missing card after five seconds. Without a report the card counts as delivered. */
const REACHED_AFTER_MS = 6_500;
export const LOOK_EVERY_MS = 500;

/** `unanswered`: the hub has not replied, as when it is stuck. */
export type HubState = "stored" | "refused" | "unanswered";

export interface HubReach {
  readonly problem: string | null;
  /** Prompts, by id, that none of the reached people may answer, with the reason. */
  readonly unreachedPrompts?: Readonly<Record<string, string>> | undefined;
}

export interface ReachOptions {
  readonly clock: Clock;
  /** Why no hub has the session; null while one has it. */
  readonly describeMissingHub: () => string | null;
  readonly openPrompts: () => ReadonlyMap<PromptId, HubState>;
  /** Called with the reason when open prompts reach nobody, and with null afterwards. */
  readonly onChange: (problem: string | null) => void;
}

export class Reach {
  readonly #options: ReachOptions;
  /** Since when each open prompt is open, and whether it reached somebody; null if unknown. */
  readonly #waiting = new Map<PromptId, { readonly since: number; reached: boolean | null }>();
  #report: HubReach = { problem: "the hub has not reported whom it reaches" };
  #problem: string | null = null;
  #unreachedCount = 0;
  #lastReason = "";
  #stopTimer: Cancel = () => undefined;

  constructor(options: ReachOptions) {
    this.#options = options;
  }

  /** A message for the user after the tool has ended; null when every prompt reached somebody or was answered quickly. */
  get summary(): string | null {
    if (this.#unreachedCount === 0) return null;
    const questions = this.#unreachedCount === 1 ? "1 question" : `${this.#unreachedCount} questions`;
    return `${questions} reached nobody: ${this.#lastReason}`;
  }

  noteReach(report: HubReach): void {
    this.#report = report;
    this.check();
  }

  check(): void {
    this.#stopTimer();
    const { clock, openPrompts, onChange } = this.#options;
    const open = openPrompts();
    const problems = [...open].flatMap(([promptId, hub]) => this.#look(promptId, hub) ?? []);
    for (const promptId of this.#waiting.keys()) if (!open.has(promptId)) this.#forget(promptId);
    const problem = problems.at(-1) ?? null;
    if (problem !== this.#problem) onChange((this.#problem = problem));
    if (open.size > 0) this.#stopTimer = clock.after(LOOK_EVERY_MS, () => this.check());
  }

  close(): void {
    this.check();
    this.#stopTimer();
    for (const promptId of this.#waiting.keys()) this.#forget(promptId);
  }

  /** Returns why the prompt reaches nobody, once that has lasted long enough. */
  #look(promptId: PromptId, hub: HubState): string | null {
    const now = this.#options.clock.monotonic();
    const waiting = this.#waiting.get(promptId) ?? { since: now, reached: null };
    this.#waiting.set(promptId, waiting);
    const problem = this.#findProblem(promptId, hub);
    const waitedMs = now - waiting.since;
    if (problem === null) {
      if (waiting.reached === false || waitedMs >= REACHED_AFTER_MS) waiting.reached = true;
      return null;
    }
    if (waitedMs < UNREACHED_AFTER_MS) return null;
    waiting.reached ??= false;
    return (this.#lastReason = problem);
  }

  #findProblem(promptId: PromptId, hub: HubState): string | null {
    const problem = this.#options.describeMissingHub() ?? this.#report.problem;
    if (problem !== null) return problem;
    if (hub === "stored") return this.#report.unreachedPrompts?.[promptId] ?? null;
    return hub === "refused" ? "the hub could not store the prompt" : "the hub does not answer";
  }

  #forget(promptId: PromptId): void {
    if (this.#waiting.get(promptId)?.reached === false) this.#unreachedCount += 1;
    this.#waiting.delete(promptId);
  }
}
