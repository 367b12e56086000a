/**
 * Which unread screens and lines ask nothing after all: what the user opened, a program's own prompt, and a line on which
 * somebody at the terminal types just now.
 */
import type { Candidate } from "../../sdk/candidate.js";
import type { CompiledAdapter } from "./compiled.js";

/** A screen that comes up so soon after a key was opened by it (a transcript, a picker); a turn takes 600 ms to ask something. */
const OPENED_WITHIN_MS = 300;
/** A line that nobody can read and that waited so often before is the program's own prompt. */
const TIMES_MAX = 2;
/** Somebody who began to type on an unread line answers it; after so long without another key nobody does. */
const TYPING_MS = 60_000;
/** A program has few prompts; more texts than this are not remembered. */
const TEXTS_MAX = 64;

export class UnreadWatch {
  readonly #kind: CompiledAdapter["unread"];
  readonly #times = new Map<string, number>();
  #typedAt = -Infinity;
  #lineFeeds = -1;
  /** When the cursor's line was first seen. */
  #lineSince = -Infinity;
  /** Null while the screen is read. */
  #openedByUser: boolean | null = null;
  #isBlocked = false;

  constructor({ unread }: CompiledAdapter) {
    this.#kind = unread;
  }

  /** Somebody typed at the terminal. */
  typed(now: number): void {
    this.#typedAt = now;
  }

  /**
   * Looks at what was found now; must see every look. `isBlocked`: the tool itself says that it waits. `lineFeeds`: how many the
   * tool has written.
   */
  see(
    candidate: Candidate | null,
    { now, isBlocked, lineFeeds }: { now: number; isBlocked: boolean; lineFeeds: number },
  ): void {
    this.#isBlocked = isBlocked;
    if (lineFeeds !== this.#lineFeeds) [this.#lineFeeds, this.#lineSince] = [lineFeeds, now];
    if (isBlocked || candidate?.promptType !== "unknown" || candidate.safetyClass === "user_menu")
      this.#openedByUser = null;
    else this.#openedByUser ??= now - this.#typedAt <= OPENED_WITHIN_MS;
  }

  /** It was raised. */
  note({ promptType, question }: Candidate): void {
    if (promptType !== "unknown" || this.#kind !== "line") return;
    if (this.#times.size >= TEXTS_MAX) this.#times.clear();
    this.#times.set(question, (this.#times.get(question) ?? 0) + 1);
  }

  /** Whatever is typed on such a line begins its answer. */
  isLine({ promptType }: Candidate): boolean {
    return promptType === "unknown" && this.#kind === "line";
  }

  /** How long it must stand until it is asked about. */
  stableMs(candidate: Candidate, stableMs: number): number {
    return this.isLine(candidate) && this.#typedAt > this.#lineSince ? TYPING_MS : stableMs;
  }

  asksNothing({ promptType, question }: Candidate): boolean {
    if (promptType !== "unknown" || this.#isBlocked) return false;
    if (this.#kind === "line") return (this.#times.get(question) ?? 0) >= TIMES_MAX;
    return this.#openedByUser === true;
  }
}
