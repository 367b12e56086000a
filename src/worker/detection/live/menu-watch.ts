/**
 * Decides whether a menu was opened by the user. A generic rule recognizes menus by their appearance alone, and an unrecognized dialog
 * may look the same. So a menu counts as the user's only if somebody used the terminal just before it came up.
 */
import { CONFIDENCE_FLOOR } from "../../../model/prompt.js";
import type { Candidate } from "../../../sdk/candidate.js";
import type { Signals } from "../../../sdk/view.js";
import type { Detection } from "../detection.js";
import type { OwnMenu } from "../shapes/own-menu.js";
import {
  ANY_LIST_MS,
  isDeclaredBlocked,
  STUCK_TIMEOUT_MS,
  UNRECOGNIZED_SCREEN_MS,
} from "../matchers/unrecognized-screen.js";

/** A tool may load sessions or query a server before it draws the menu that a key opens. */
const OPENED_WITHIN_MS = 10_000;
/** The same if the tool has shown that it works since that key: a slow command shows a spinner for a second before its menu. */
const OPENED_AT_WORK_MS = 3000;
/** A list soon after a key may be the prompt of a quick turn. A person who opened a menu uses it sooner than this; it is under a minute. */
export const DOUBTFUL_MS = 50_000;
/** How long a menu may be missing while it is redrawn (after a resize, or while a page of it loads). */
const GONE_MS = 1000;

/**
 * What has the title of a setting before anything is known of the session was opened by hand, if the session was joined later, or is shown
 * by a tool that starts for the first time. A person who opened it has left it by then.
 */
const UNKNOWN_MS = 120_000;

type Opener = "user" | "tool" | "doubtful" | "unknown";

interface Moment {
  readonly now: number;
  readonly signals: Signals;
}

export class MenuWatch {
  #touchedAt = -Infinity;
  #workedAt = -Infinity;
  #goneSince: number | null = -Infinity;
  #opener: Opener = "tool";
  #own: OwnMenu | null = null;
  /** The tool has shown its input box, or somebody has typed: screens of the start-up are over. */
  #isStarted = false;
  /** The last key came from afar. */
  #isAfar = false;

  onUserInput(now: number): void {
    if (this.#opener === "unknown") this.#opener = "user";
    this.onTask();
    this.#touchedAt = now;
  }

  /** A key was pressed remotely on a screen that no rule reads: the next screen is a prompt for that person. */
  onScreenKey(): void {
    this.onTask();
    this.#isAfar = true;
  }

  /** Somebody gave the tool a task: whatever it draws now is its own. */
  onTask(): void {
    [this.#touchedAt, this.#isStarted, this.#isAfar] = [-Infinity, true, false];
  }

  /** Returns the detection unchanged, or with the menu turned into a prompt of the tool. Must be called at every detection. */
  classify(found: Detection, { now, signals }: Moment): Detection {
    const { candidate, ownMenu = null } = found;
    if (found.state === "working") this.#workedAt = now;
    if (found.state === "idle") this.#isStarted = true;
    if (candidate === null || (candidate.safetyClass !== "user_menu" && ownMenu === null)) {
      this.#goneSince ??= now;
      return found;
    }
    this.#see(now, ownMenu);
    if (candidate.safetyClass !== "user_menu") {
      const by = this.#readOpener(signals);
      if (by === "user") return { ...found, candidate: { ...candidate, safetyClass: "user_menu" } };
      return by === "unknown" ? { ...found, stableMs: UNKNOWN_MS } : found;
    }
    const opener = candidate.fitsAnyMenu ? this.#readOpener(signals) : "user";
    if (opener === "user") return found;
    const isProven = isDeclaredBlocked(signals);
    const { list, state } = found;
    const toolMs = list ? ANY_LIST_MS : isProven ? STUCK_TIMEOUT_MS : UNRECOGNIZED_SCREEN_MS;
    const stableMs = opener === "tool" ? toolMs : opener === "unknown" ? UNKNOWN_MS : DOUBTFUL_MS;
    return { candidate: list ?? makePermission(candidate), state, stableMs };
  }

  #see(now: number, own: OwnMenu | null): void {
    const isNew = this.#goneSince !== null && now - this.#goneSince > GONE_MS;
    this.#goneSince = null;
    if (!isNew && own?.isRun === this.#own?.isRun && own?.isNamed === this.#own?.isNamed) return;
    this.#own = own;
    this.#opener = this.#inferOpener(now);
  }

  #inferOpener(now: number): Opener {
    const [ago, hasWorked] = [now - this.#touchedAt, this.#workedAt > this.#touchedAt];
    if (this.#own !== null && !this.#isAfar) {
      if (this.#own.isRun && !hasWorked) return "user";
      // A tool that works on for long after the last key may ask by such a title itself.
      if (this.#own.isNamed) return this.#isStarted && !(hasWorked && ago > DOUBTFUL_MS) ? "user" : "unknown";
    }
    if (!hasWorked) return ago <= OPENED_WITHIN_MS ? "user" : "tool";
    return ago <= OPENED_AT_WORK_MS ? "doubtful" : "tool";
  }

  /** A declared state outranks the timing. A tool names its reason (`kind`) only for prompts of its own. */
  #readOpener({ declared }: Signals): Opener {
    if (declared === undefined) return this.#opener;
    if (declared.state !== "blocked") return "user";
    return declared.kind === undefined && this.#opener !== "tool" ? "user" : "tool";
  }
}

/** A prompt that no rule reads: its low score keeps it from being answered automatically. */
function makePermission(menu: Candidate): Candidate {
  return { ...menu, safetyClass: "permission", score: CONFIDENCE_FLOOR.low };
}
