/**
 * Commands by the ids that their callers gave them, so that a caller whose connection broke gets the same result and no command
 * is typed twice. Refused commands take no place from typed ones.
 */
import type { Clock } from "../model/clock.js";
import type { CommandResult } from "../worker/runtimes/program/output/command-result.js";

/** A caller whose hub was lost asks the next one within seconds; a hub that hung before it was lost adds to that. */
export const ASKED_AGAIN_MS = 10 * 60_000;
/** Ids alone: one command runs at a time, so fewer are typed within that time. */
const TYPED_MAX = 4096;
/** Results: each holds up to some hundred thousand characters. */
const RESULTS_MAX = 32;
/** Refused commands: they were not typed, so forgetting one does no harm. */
const REFUSED_MAX = 32;

interface Given {
  /** The text to type, and its place. */
  readonly wish: string;
  /** Null: long ago. */
  end: Promise<CommandResult> | null;
  /** Null: it still runs. */
  endedAt: number | null;
  /** No part of it was typed because the hub was lost. */
  mayComeAgain: boolean;
}

/** State of an id: `other`: it belongs to another command. */
export type Known = "new" | "given" | "other";

export class CommandMemory {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #typed = new Map<string, Given>();
  readonly #refused = new Map<string, Given>();

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock;
  }

  /** Call `noteEnded` or `noteRefused` once it has its end. */
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

  /** No part of it was typed. `mayComeAgain`: it is typed when it is given again. */
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

  /** The end of that command; null: it was never given, or long ago. */
  find(commandId: string): Promise<CommandResult> | null {
    return this.#find(commandId)?.end ?? null;
  }

  #find(commandId: string): Given | undefined {
    return this.#typed.get(commandId) ?? this.#refused.get(commandId);
  }
}

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
