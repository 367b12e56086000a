/**
 * Commands by the ids that their callers gave them, so that a caller whose connection broke gets the same result and nothing is typed
 * twice. What was refused takes no place from what was typed.
 */
import type { Clock } from "../model/clock.js";
import type { CommandResult } from "../worker/runtimes/program/output/command-result.js";

/** A caller whose hub was lost asks the next one within seconds; a hub that hung before it was lost adds to that. */
export const ASKED_AGAIN_MS = 10 * 60_000;
/** Of the ids alone: one command runs at a time, so fewer are typed within that time. */
const TYPED_MAX = 4096;
/** Of results: each holds up to some hundred thousand characters. */
const RESULTS_MAX = 32;
/** Of those that were refused: nothing was typed, so it does not harm to forget one. */
const REFUSED_MAX = 32;

interface Given {
  /** What was to be typed, and where. */
  readonly wish: string;
  /** Null: long ago. */
  end: Promise<CommandResult> | null;
  /** Null: it goes on. */
  endedAt: number | null;
  /** Nothing of it was typed because the hub was lost. */
  mayComeAgain: boolean;
}

/** What is known of an id: `other`: it belongs to another command. */
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

  /** Nothing of it was typed. `mayComeAgain`: it is typed when it is given again. */
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
