/**
 * Filters unrecognized screens and lines that are no prompts after all: a screen that the user opened, a program's own command prompt,
 * and a line on which somebody at the terminal is typing.
 */
import type { ToolState } from "../../../model/tool-state.js";
import type { Candidate } from "../../../sdk/candidate.js";
import type { CompiledAdapter } from "../../adapter-format/compiled/compiled.js";
import { ANY_FIELD } from "../matchers/any/any-field.js";
import { DOUBTFUL_MS } from "./menu-watch.js";
import { KEY_NOTICE, SECRET_FIELD } from "../matchers/key-notice.js";
import { asksInWords } from "../shapes/own-menu.js";
import { isUnrecognized, UNRECOGNIZED_MENU } from "../matchers/unrecognized-screen.js";

/** An unrecognized line that was raised this often is the program's own command prompt. */
const TIMES_MAX = 2;
/** Somebody who began to type on an unrecognized line will answer it, unless no key follows for this long. */
const TYPING_MS = 60_000;
/** After output the facts of the tty are unknown for half a second, on a busy machine longer; a menu is not recognized meanwhile. */
const PAUSE_MAX_MS = 2000;
/** After a key that was pressed from afar the screen is shown again once it was still for this long, and for so long after the key. */
const AFTER_KEY_MS = 500;
const AFTER_KEY_WITHIN_MS = 10_000;
/** A program has few prompts; more texts than this are not remembered. */
const TEXTS_MAX = 64;

interface Look {
  readonly now: number;
  readonly isBlocked: boolean;
  readonly lineFeeds: number;
  /** As the screen shows it now. */
  readonly state: ToolState | null;
}

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
  /** The last key was typed while the tool was idle, and the tool was not seen working since. */
  #keyMetIdle = false;
  /** One of the keys since then may have given it a task that ended before anybody saw it work. */
  #mayHaveTask = false;
  /** Whether the user opened the screen; null while a rule recognizes it. */
  #openedByUser: boolean | null = null;
  #isBlocked = false;
  #now = -Infinity;
  #keyAt = -Infinity;

  constructor({ unread }: CompiledAdapter) {
    this.#kind = unread;
  }

  /**
   * Call when somebody typed at the terminal. `state`: what the tool does then; null before it first showed its input box. `isNoTask`:
   * nothing in its box was submitted, or a command of the tool.
   */
  onTyped(now: number, state: ToolState | null, isNoTask: boolean): void {
    this.#typedAt = now;
    this.#keyMetIdle = this.#kind === "screen" && state === "idle";
    this.#mayHaveTask ||= !isNoTask;
  }

  /** Call when a key was pressed remotely on such a screen: that person waits to see the next one. */
  onScreenKey(now: number): void {
    this.#keyAt = now;
    this.#keyMetIdle = false;
    this.#times.clear();
  }

  /** Must be called at every detection. */
  update(candidate: Candidate | null, { now, isBlocked, lineFeeds, state }: Look): void {
    this.#now = now;
    this.#isBlocked = isBlocked;
    if (state === "working") [this.#keyMetIdle, this.#mayHaveTask] = [false, false];
    this.#seeMenu(candidate, now);
    if (lineFeeds !== this.#lineFeeds) [this.#lineFeeds, this.#lineSince] = [lineFeeds, now];
    if (isBlocked || candidate === null || !isUnrecognizedPrompt(candidate)) this.#openedByUser = null;
    else this.#openedByUser ??= this.#keyMetIdle;
  }

  #seeMenu(candidate: Candidate | null, now: number): void {
    if (candidate?.shape !== UNRECOGNIZED_MENU) {
      this.#menuGoneSince ??= now;
      return;
    }
    if (this.#menuGoneSince !== null && now - this.#menuGoneSince > PAUSE_MAX_MS) this.#menuSince = now;
    this.#menuGoneSince = null;
  }

  onRaised({ promptType, question }: Candidate): void {
    if (promptType !== "unknown" || this.#kind !== "line") return;
    if (this.#times.size >= TEXTS_MAX) this.#times.clear();
    this.#times.set(question, (this.#times.get(question) ?? 0) + 1);
  }

  /** Whether typed text is the answer to this candidate, or the beginning of one. */
  isLine({ promptType }: Candidate): boolean {
    return promptType === "unknown" && this.#kind === "line";
  }

  computeStableMs(candidate: Candidate, stableMs: number): number {
    const since = candidate.shape === UNRECOGNIZED_MENU ? this.#menuSince : this.#lineSince;
    const isAwaited = candidate.promptType === "unknown" && this.#now < this.#keyAt + AFTER_KEY_WITHIN_MS;
    if (isAwaited) return Math.min(stableMs, AFTER_KEY_MS);
    if (this.#openedByUser) return DOUBTFUL_MS;
    return this.isLine(candidate) && this.#typedAt > since ? TYPING_MS : stableMs;
  }

  isNoPrompt(candidate: Candidate): boolean {
    const { promptType, question, rule } = candidate;
    if (this.#isBlocked) return false;
    const isPage = promptType === "unknown" || PAGES.includes(rule);
    if (this.#kind === "line") return isPage && (this.#times.get(question) ?? 0) >= TIMES_MAX;
    return this.#openedByUser === true && (isPage || (!this.#mayHaveTask && !asksInWords(candidate)));
  }
}

/** Pages without a list: one that the user opened is not asked about. */
const PAGES: readonly string[] = [ANY_FIELD, KEY_NOTICE, SECRET_FIELD];

function isUnrecognizedPrompt(candidate: Candidate): boolean {
  return isUnrecognized(candidate) && candidate.safetyClass !== "user_menu";
}
