/**
 * Which unread screens and lines ask nothing after all: what the user opened, a program's own prompt, and a line on which
 * somebody at the terminal types just now.
 */
import type { Candidate } from "../../../sdk/candidate.js";
import type { CompiledAdapter } from "../../adapter-format/compiled/compiled.js";
import { UNREAD_MENU } from "../matchers/unrecognized-screen.js";

/** A screen that comes up so soon after a key was opened by it (a transcript, a picker); a turn takes 600 ms to ask something. */
const OPENED_WITHIN_MS = 300;
/** A line that nobody can read and that waited so often before is the program's own prompt. */
const TIMES_MAX = 2;
/** Somebody who began to type on an unread line answers it; after so long without another key nobody does. */
const TYPING_MS = 60_000;
/** While its terminal is not known, what is drawn cannot be told; that takes half a second, longer on a busy machine. */
const PAUSE_MAX_MS = 2000;
/** A program has few prompts; more texts than this are not remembered. */
const TEXTS_MAX = 64;

export class UnreadWatch {
  readonly #kind: CompiledAdapter["unread"];
  readonly #times = new Map<string, number>();
  #typedAt = -Infinity;
  #lineFeeds = -1;
  /** When the cursor's line was first seen. */
  #lineSince = -Infinity;
  /** Since when a menu is drawn, and since when none is (null while one is): its terminal is not known for a moment after each output. */
  #menuSince = -Infinity;
  #menuGoneSince: number | null = -Infinity;
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
    this.#seeMenu(candidate, now);
    if (lineFeeds !== this.#lineFeeds) [this.#lineFeeds, this.#lineSince] = [lineFeeds, now];
    if (isBlocked || candidate?.promptType !== "unknown" || candidate.safetyClass === "user_menu")
      this.#openedByUser = null;
    else this.#openedByUser ??= now - this.#typedAt <= OPENED_WITHIN_MS;
  }

  #seeMenu(candidate: Candidate | null, now: number): void {
    if (candidate?.shape !== UNREAD_MENU) {
      this.#menuGoneSince ??= now;
      return;
    }
    if (this.#menuGoneSince !== null && now - this.#menuGoneSince > PAUSE_MAX_MS) this.#menuSince = now;
    this.#menuGoneSince = null;
  }

  /** It was raised. */
  note({ promptType, question }: Candidate): void {
    if (promptType !== "unknown" || this.#kind !== "line") return;
    if (this.#times.size >= TEXTS_MAX) this.#times.clear();
    this.#times.set(question, (this.#times.get(question) ?? 0) + 1);
  }

  /** What is typed on such a line, or at such a menu, is its answer or the beginning of one. */
  isLine({ promptType }: Candidate): boolean {
    return promptType === "unknown" && this.#kind === "line";
  }

  /** How long it must stand until it is asked about. */
  stableMs(candidate: Candidate, stableMs: number): number {
    const since = candidate.shape === UNREAD_MENU ? this.#menuSince : this.#lineSince;
    return this.isLine(candidate) && this.#typedAt > since ? TYPING_MS : stableMs;
  }

  asksNothing({ promptType, question }: Candidate): boolean {
    if (promptType !== "unknown" || this.#isBlocked) return false;
    if (this.#kind === "line") return (this.#times.get(question) ?? 0) >= TIMES_MAX;
    return this.#openedByUser === true;
  }
}
