/** Keys and lines by the ids that their callers gave them: each goes in once, whatever else went in meanwhile. */
import type { Clock } from "../model/clock.js";
import { ASKED_AGAIN_MS } from "./command-memory.js";

/** So many are not given within that time. */
const REMEMBERED_MAX = 4096;

export class ActMemory<A extends { readonly problem: string | null }> {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #acts = new Map<string, { readonly acted: Promise<A>; readonly at: number }>();

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock;
  }

  /** What became of the act with this id. Of one that had a problem nothing was typed: it may be tried again. */
  once(actId: string, act: () => Promise<A>): Promise<A> {
    const found = this.#acts.get(actId);
    if (found) return found.acted;
    const acted = act();
    this.#forgetOld();
    this.#acts.set(actId, { acted, at: this.#clock.monotonic() });
    const forget = ({ problem }: A): unknown => problem !== null && this.#acts.delete(actId);
    // How one that failed ended is not known, so it stays.
    acted.then(forget, () => undefined);
    return acted;
  }

  #forgetOld(): void {
    const now = this.#clock.monotonic();
    for (const [id, { at }] of this.#acts) {
      if (now - at <= ASKED_AGAIN_MS && this.#acts.size < REMEMBERED_MAX) return;
      this.#acts.delete(id);
    }
  }
}
