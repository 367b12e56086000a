/** Which unread screens and lines ask nothing after all (design §6): what the user opened, and a program's own prompt. */
import type { Candidate } from "../../sdk/candidate.js";
import type { CompiledAdapter } from "./compiled.js";

/** A screen that comes up so soon after a key was opened by it (a transcript, a picker); a turn takes 600 ms to ask something. */
const OPENED_WITHIN_MS = 300;
/** A line that nobody can read and that waited so often before is the program's own prompt. */
const TIMES_MAX = 2;
/** A program has few prompts; more texts than this are not remembered. */
const TEXTS_MAX = 64;

export class UnreadWatch {
  readonly #kind: CompiledAdapter["unread"];
  readonly #times = new Map<string, number>();
  #typedAt = -Infinity;
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

  /** Looks at what was found now; must see every look. `isBlocked`: the tool itself says that it waits. */
  see(candidate: Candidate | null, now: number, isBlocked: boolean): void {
    this.#isBlocked = isBlocked;
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

  asksNothing({ promptType, question }: Candidate): boolean {
    if (promptType !== "unknown" || this.#isBlocked) return false;
    if (this.#kind === "line") return (this.#times.get(question) ?? 0) >= TIMES_MAX;
    return this.#openedByUser === true;
  }
}
