/** Remembers commands by their callers' ids, so that a caller whose connection broke gets the same result and nothing is typed twice. */
import type { Clock } from "../model/clock.js";
import type { CommandResult } from "../worker/runtimes/program/output/command-result.js";

/** After a lost hub a caller asks the next one within seconds, or later if the hub hung first. */
export const ASKED_AGAIN_MS = 10 * 60_000;
/** Only one command runs at a time, so fewer ids come within that time. */
const TYPED_MAX = 4096;
/** A result has up to some hundred thousand characters. */
const RESULTS_MAX = 32;
/** A refused command was not typed, so it may be forgotten. */
const REFUSED_MAX = 32;

interface Given {
  readonly wish: string;
  /** Null: it was forgotten. */
  end: Promise<CommandResult> | null;
  endedAt: number | null;
  /** Nothing was typed because the hub was lost. */
  mayComeAgain: boolean;
}

/** `other`: the id belongs to another command. */
export type Known = "new" | "given" | "other";

export class CommandMemory {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #typed = new Map<string, Given>();
  readonly #refused = new Map<string, Given>();

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock;
  }

  remember(commandId: string, wish: string, end: Promise<CommandResult>): void {
    this.#refused.delete(commandId);
    this.#typed.delete(commandId);
    this.#typed.set(commandId, { wish, end, endedAt: null, mayComeAgain: false });
  }

  noteEnded(commandId: string): void {
    const now = this.#clock.monotonic();
    const own = this.#typed.get(commandId);
    if (own) own.endedAt = now;
    const ended = [...this.#typed].filter(([, { endedAt }]) => endedAt !== null);
    for (const [, given] of ended.slice(0, -RESULTS_MAX)) given.end = null;
    for (const [id, { endedAt }] of ended.slice(0, -1))
      if (now - (endedAt ?? now) > ASKED_AGAIN_MS || this.#typed.size > TYPED_MAX) this.#typed.delete(id);
  }

  /** Nothing was typed. `mayComeAgain`: the same id may be typed later. */
  noteRefused(commandId: string, mayComeAgain: boolean): void {
    const own = this.#typed.get(commandId);
    if (!own) return;
    this.#typed.delete(commandId);
    own.mayComeAgain = mayComeAgain;
    this.#refused.set(commandId, own);
    const [oldest] = this.#refused.keys();
    if (this.#refused.size > REFUSED_MAX && oldest !== undefined) this.#refused.delete(oldest);
  }

  look(commandId: string, wish: string): Known {
    const found = this.#find(commandId);
    if (found === undefined) return "new";
    if (found.wish !== wish) return "other";
    return found.mayComeAgain ? "new" : "given";
  }

  find(commandId: string): Promise<CommandResult> | null {
    return this.#find(commandId)?.end ?? null;
  }

  #find(commandId: string): Given | undefined {
    return this.#typed.get(commandId) ?? this.#refused.get(commandId);
  }
}

const REMEMBERED_MAX = 4096;

export class ActMemory<A extends { readonly problem: string | null }> {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #acts = new Map<string, { readonly acted: Promise<A>; readonly at: number }>();

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock;
  }

  /** Runs the act once for each id. After a problem, where nothing was typed, it may be repeated. */
  once(actId: string, act: () => Promise<A>): Promise<A> {
    const found = this.#acts.get(actId);
    if (found) return found.acted;
    const acted = act();
    this.#forgetOld();
    this.#acts.set(actId, { acted, at: this.#clock.monotonic() });
    const forget = ({ problem }: A): unknown => problem !== null && this.#acts.delete(actId);
    // It is unknown how a failed act ended, so it is remembered.
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
