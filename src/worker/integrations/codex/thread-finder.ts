/**
 * Finds the thread that the tool in our terminal shows. The server does not say whose a thread is, so its activity is compared with the
 * state that the tool declares on its terminal. A thread counts as the tool's when it is the only one that changed its activity together
 * with the tool. A thread that later differs is released. Pure.
 */
import type { Signals } from "../../../sdk/view.js";
import { toArray, toText, type Json } from "../../../model/data/json.js";

export type ThreadActivity = "working" | "waiting" | "idle";

/**
 * Server and terminal report a change at different times, so both must be quiet for this long. A busy machine delivers a message faster,
 * and a model starts slower.
 */
export const SETTLED_MS = 200;

/** With more threads not all can be followed, so no match is certain. */
export const THREADS_MAX = 64;

const HIDDEN_MAX = 64;

/** How long the tool's own thread may differ: on a busy machine one report may be late. */
export const STRAYED_MS = 1000;

/** Agents of agents count as the tool's up to this depth. */
const ANCESTORS_MAX = 8;

export interface Origin {
  readonly parent: string | null;
  readonly isElsewhere: boolean;
}

const UNKNOWN: Origin = { parent: null, isElsewhere: false };

interface Thread {
  doing: ThreadActivity;
  origin: Origin;
  isOwn: boolean;
  /** When it began to differ from the tool; null: it does not. */
  strayedAt: number | null;
  /** It did the same as the tool at the last comparison. */
  matched: boolean;
  steps: number;
  isExcluded: boolean;
}

const NEW = { isOwn: false, strayedAt: null, matched: false, steps: 0, isExcluded: false };

export class ThreadFinder {
  readonly #threads = new Map<string, Thread>();
  readonly #hidden = new Set<string>();
  #tool: ThreadActivity | null = null;
  #toolAtComparison: ThreadActivity | null = null;
  #changedAt = -Infinity;
  #hasGivenUp = false;

  /** Stops looking: not all threads are known. */
  giveUp(): void {
    this.#hasGivenUp = true;
    for (const [id, { isOwn }] of this.#threads) if (!isOwn) this.#threads.delete(id);
  }

  /** The thread is never shown. */
  hide(id: string): void {
    this.#threads.delete(id);
    const [oldest] = this.#hidden;
    if (oldest !== undefined && this.#hidden.size >= HIDDEN_MAX) this.#hidden.delete(oldest);
    this.#hidden.add(id);
  }

  /** `origin`: null where the report does not contain it. Times are monotonic ms. */
  noteThread(id: string, getActivity: ThreadActivity, now: number, origin: Origin | null = null): void {
    const known = this.#threads.get(id);
    if (known && origin) known.origin = origin;
    if (known?.doing === getActivity || this.#hidden.has(id) || (this.#hasGivenUp && !known)) return;
    if (!known && this.#threads.size >= THREADS_MAX) {
      this.giveUp();
      return;
    }
    this.#changedAt = now;
    if (known) known.doing = getActivity;
    else this.#threads.set(id, { ...NEW, doing: getActivity, origin: origin ?? UNKNOWN });
  }

  forget(id: string): void {
    this.#threads.delete(id);
  }

  noteTool(doing: ThreadActivity, now: number): void {
    if (this.#tool === doing) return;
    this.#tool = doing;
    this.#changedAt = now;
  }

  computeDueMs(now: number): number | null {
    const strayed = [...this.#threads.values()].flatMap(({ isOwn, strayedAt }) =>
      isOwn && strayedAt !== null ? [strayedAt + STRAYED_MS] : [],
    );
    const isQuiet = this.#changedAt === -Infinity;
    const dueAt = isQuiet ? Math.min(...strayed) : this.#changedAt + SETTLED_MS;
    return dueAt === Infinity ? null : Math.max(dueAt - now, 0);
  }

  doing(id: string): ThreadActivity | null {
    return this.#threads.get(id)?.doing ?? null;
  }

  isOwn(id: string): boolean {
    return this.#threads.get(id)?.isOwn === true;
  }

  /** Also true if it only differs since the last comparison. */
  isInSync(id: string): boolean {
    const thread = this.#threads.get(id);
    return thread?.isOwn === true && (thread.strayedAt === null || thread.doing === this.#tool);
  }

  get mayBeWaiting(): boolean {
    return [...this.#threads.values()].some(
      ({ doing, isOwn, isExcluded, origin }) =>
        doing === "waiting" && (isOwn || !(isExcluded || origin.isElsewhere)),
    );
  }

  /** Releases and returns own threads that have differed from the tool for too long. Call when it is due. */
  releaseStrays(now: number): string[] {
    this.#updateStrays(now);
    const strays = [...this.#threads].filter(
      ([, { isOwn, strayedAt }]) => isOwn && strayedAt !== null && strayedAt + STRAYED_MS <= now,
    );
    for (const [, thread] of strays) Object.assign(thread, { isOwn: false, strayedAt: null });
    return strays.map(([id]) => id);
  }

  /** An agent of the tool's thread may be what the tool shows, and the other way round. */
  #updateStrays(now: number): void {
    const shown = [...this.#threads].filter(([, { doing }]) => doing === this.#tool);
    const roots = new Set(shown.map(([id]) => this.#findRoot(id)));
    for (const [id, thread] of this.#threads)
      thread.strayedAt =
        this.#tool === null || roots.has(this.#findRoot(id)) ? null : (thread.strayedAt ?? now);
  }

  #findRoot(id: string): string {
    let root = id;
    for (let depth = 0; depth < ANCESTORS_MAX; depth += 1)
      root = this.#threads.get(root)?.origin.parent ?? root;
    return root;
  }

  /** Compares all threads with the tool when it is due. Returns the thread that the tool surely shows. */
  compare(): string | null {
    this.#changedAt = -Infinity;
    if (this.#tool === null) return null;
    const left = this.#listCandidates();
    const [only, ...others] = left;
    const hasStepped = this.#toolAtComparison !== null && this.#toolAtComparison !== this.#tool;
    for (const [id, thread] of this.#threads) {
      const matches = left.includes(id);
      if (matches && hasStepped && thread.matched) thread.steps += 1;
      thread.matched = thread.doing === this.#tool;
      // Earlier matches were a coincidence.
      if (!thread.matched && !thread.isOwn) thread.steps = 0;
    }
    this.#toolAtComparison = this.#tool;
    if (only === undefined || others.length > 0) return null;
    const found = this.#threads.get(only);
    if (!found || found.steps === 0) return null;
    found.isOwn = true;
    return only;
  }

  /** When no thread is left, the tool shows another thread than before, and all count again. */
  #listCandidates(): string[] {
    const matching = [...this.#threads].filter(
      ([, { doing, origin }]) => doing === this.#tool && !origin.isElsewhere,
    );
    const left = matching.filter(([, { isExcluded }]) => !isExcluded);
    for (const thread of this.#threads.values())
      thread.isExcluded = thread.doing !== this.#tool || (left.length > 0 && thread.isExcluded);
    return (left.length > 0 ? left : matching).map(([id]) => id);
  }
}

export function readThreadActivity({ type, activeFlags }: Json): ThreadActivity | null {
  if (type === "notLoaded") return null;
  if (type !== "active") return "idle";
  return toArray(activeFlags).length > 0 ? "waiting" : "working";
}

export function toThreadActivity(state: NonNullable<Signals["declared"]>["state"]): ThreadActivity {
  if (state === "blocked") return "waiting";
  return state === "working" ? "working" : "idle";
}

export function readOrigin({ cwd, parentThreadId }: Json, folder: string): Origin | null {
  const place = toText(cwd);
  if (place === null) return null;
  return { parent: toText(parentThreadId), isElsewhere: place !== folder };
}
