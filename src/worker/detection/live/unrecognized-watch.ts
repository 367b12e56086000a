/**
 * Filters unrecognized screens and lines that are no prompts after all: a screen that the user opened, a program's own command prompt,
 * and a line on which somebody at the terminal is typing.
 */
import type { Candidate } from "../../../sdk/candidate.js";
import type { CompiledAdapter } from "../../adapter-format/compiled/compiled.js";
import { UNRECOGNIZED_MENU } from "../matchers/unrecognized-screen.js";

/** A screen that comes up this soon after a key was opened by it (a transcript, a picker). A turn needs 600 ms to reach a prompt. */
const OPENED_WITHIN_MS = 300;
/** An unrecognized line that was raised this often is the program's own command prompt. */
const TIMES_MAX = 2;
/** Somebody who began to type on an unrecognized line will answer it, unless no key follows for this long. */
const TYPING_MS = 60_000;
/** After output the facts of the tty are unknown for half a second, on a busy machine longer; a menu is not recognized meanwhile. */
const PAUSE_MAX_MS = 2000;
/** A program has few prompts; more texts than this are not remembered. */
const TEXTS_MAX = 64;

export class UnrecognizedWatch {
  readonly #kind: CompiledAdapter["unread"];
  readonly #times = new Map<string, number>();
  #typedAt = -Infinity;
  #lineFeeds = -1;
  /** When the cursor's line was first seen. */
  #lineSince = -Infinity;
  /** Since when a menu is on screen, and since when none is (null while one is). */
  #menuSince = -Infinity;
  #menuGoneSince: number | null = -Infinity;
  /** Whether the user opened the screen; null while a rule recognizes it. */
  #openedByUser: boolean | null = null;
  #isBlocked = false;

  constructor({ unread }: CompiledAdapter) {
    this.#kind = unread;
  }

  /** Call when somebody typed at the terminal. */
  onTyped(now: number): void {
    this.#typedAt = now;
  }

  /** Must be called at every detection. `isBlocked`: the tool declares that it waits. `lineFeeds`: how many the tool has written. */
  update(
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
    if (candidate?.shape !== UNRECOGNIZED_MENU) {
      this.#menuGoneSince ??= now;
      return;
    }
    if (this.#menuGoneSince !== null && now - this.#menuGoneSince > PAUSE_MAX_MS) this.#menuSince = now;
    this.#menuGoneSince = null;
  }

  /** Call when a candidate was raised. */
  onRaised({ promptType, question }: Candidate): void {
    if (promptType !== "unknown" || this.#kind !== "line") return;
    if (this.#times.size >= TEXTS_MAX) this.#times.clear();
    this.#times.set(question, (this.#times.get(question) ?? 0) + 1);
  }

  /** Whether typed text is the answer to this candidate, or the beginning of one. */
  isLine({ promptType }: Candidate): boolean {
    return promptType === "unknown" && this.#kind === "line";
  }

  /** How long the candidate must stay unchanged before it is raised. */
  computeStableMs(candidate: Candidate, stableMs: number): number {
    const since = candidate.shape === UNRECOGNIZED_MENU ? this.#menuSince : this.#lineSince;
    return this.isLine(candidate) && this.#typedAt > since ? TYPING_MS : stableMs;
  }

  isNoPrompt({ promptType, question }: Candidate): boolean {
    if (promptType !== "unknown" || this.#isBlocked) return false;
    if (this.#kind === "line") return (this.#times.get(question) ?? 0) >= TIMES_MAX;
    return this.#openedByUser === true;
  }
}
