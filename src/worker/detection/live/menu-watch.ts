/**
 * Whose menu it is. A menu is known by its looks alone, and a dialog that no rule reads may look the same. So a menu counts as opened
 * by the user only if somebody touched the terminal just before it came up; any other one is a question of the tool's.
 */
import { CONFIDENCE_FLOOR } from "../../../model/prompt.js";
import type { Candidate } from "../../../sdk/candidate.js";
import type { Signals } from "../../../sdk/view.js";
import type { Detection } from "../detection.js";
import { isDeclaredBlocked, STUCK_TIMEOUT_MS, UNREAD_SCREEN_MS } from "../matchers/unrecognized-screen.js";

/** A tool may read sessions or ask a server before it draws the menu that a key has opened. */
const OPENED_WITHIN_MS = 10_000;
/** The same where the tool was seen to work since that key: a slow command shows a spinner for a second before its menu. */
const OPENED_AT_WORK_MS = 3000;
/** That may as well be the question of a quick turn. Somebody who opened a menu does something with it sooner. */
const DOUBTFUL_MS = 60_000;
/** While a menu is drawn anew (a resize, a page of it that loads) it may be missing for as long. */
const GONE_MS = 1000;

type Opener = "user" | "tool" | "doubtful";

interface Look {
  readonly now: number;
  readonly signals: Signals;
}

export class MenuWatch {
  #touchedAt = -Infinity;
  #workedAt = -Infinity;
  /** Since when no menu is drawn; null while one is. */
  #goneSince: number | null = -Infinity;
  #opener: Opener = "tool";

  /** Somebody typed or clicked at the terminal. */
  touched(now: number): void {
    this.#touchedAt = now;
  }

  /** Returns what was found as it is, or as a question that the tool itself asks. It must see every look. */
  judge(found: Detection, { now, signals }: Look): Detection {
    const { candidate } = found;
    if (found.state === "working") this.#workedAt = now;
    if (candidate?.safetyClass !== "user_menu") {
      this.#goneSince ??= now;
      return found;
    }
    this.#see(now);
    const opener = candidate.byLooks ? this.#openerBy(signals) : "user";
    if (opener === "user") return found;
    const isProven = isDeclaredBlocked(signals);
    const stableMs = opener === "doubtful" ? DOUBTFUL_MS : isProven ? STUCK_TIMEOUT_MS : UNREAD_SCREEN_MS;
    return { candidate: asQuestion(candidate), state: found.state, stableMs };
  }

  #see(now: number): void {
    if (this.#goneSince !== null && now - this.#goneSince > GONE_MS) this.#opener = this.#openerAt(now);
    this.#goneSince = null;
  }

  #openerAt(now: number): Opener {
    const ago = now - this.#touchedAt;
    if (this.#workedAt <= this.#touchedAt) return ago <= OPENED_WITHIN_MS ? "user" : "tool";
    return ago <= OPENED_AT_WORK_MS ? "doubtful" : "tool";
  }

  /** What the tool says of itself outranks who touched what: it names what it is blocked on for its own questions alone. */
  #openerBy({ declared }: Signals): Opener {
    if (declared === undefined) return this.#opener;
    if (declared.state !== "blocked") return "user";
    return declared.kind === undefined && this.#opener !== "tool" ? "user" : "tool";
  }
}

/** Nobody has read such a dialog before: people are asked, and nothing answers it by itself. */
function asQuestion(menu: Candidate): Candidate {
  return { ...menu, safetyClass: "permission", score: CONFIDENCE_FLOOR.low };
}
