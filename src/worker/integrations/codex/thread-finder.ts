/**
 * Finds the server's thread that the tool in our terminal shows. The server does not say whose a thread is, so its state is compared
 * with the state that the tool declares on its terminal. A thread counts as the tool's when it is the only one that has followed the
 * tool from one state to another; idling together proves nothing. A thread that later does something else is released. Pure.
 */
import type { Signals } from "../../../sdk/view.js";
import { toArray, toText, type Json } from "../../../model/data/json.js";

export type ThreadActivity = "working" | "waiting" | "idle";

/**
 * Server and terminal report the same change at slightly different times, so nothing is compared until both were quiet for this long.
 * Longer than a busy machine needs for a message, shorter than a model needs for its first call.
 */
export const SETTLED_MS = 200;

/** With more threads than this not all can be followed, so that one behaving alone proves nothing. */
export const THREADS_MAX = 64;

/** The most hidden threads to remember; they are short-lived. */
const HIDDEN_MAX = 64;

/**
 * The tool's own thread may differ from the tool for this long: on a busy machine one of the two reports late, and a pending request
 * should not be dropped for that.
 */
export const STRAYED_MS = 1000;

/** How many levels of agents started by agents count as the tool's. */
const ANCESTORS_MAX = 8;

/** What is known of a thread beside what it does. */
export interface Origin {
  /** The parent thread of an agent; null if it has none. */
  readonly parent: string | null;
  /** It works in another folder than the tool. */
  readonly isElsewhere: boolean;
}

const UNKNOWN: Origin = { parent: null, isElsewhere: false };

interface Thread {
  doing: ThreadActivity;
  origin: Origin;
  /** It was found to be the thread that the tool shows. */
  isOwn: boolean;
  /** Since when it was seen to do something else than the tool; null: it does the same. */
  strayedAt: number | null;
  /** Did what the tool did, at the last look. */
  matched: boolean;
  /** How often it changed its state together with the tool. */
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

  /** Stops looking, because there are threads of which nothing is known. */
  giveUp(): void {
    this.#hasGivenUp = true;
    for (const [id, { isOwn }] of this.#threads) if (!isOwn) this.#threads.delete(id);
  }

  /** No interface shows this one. */
  hide(id: string): void {
    this.#threads.delete(id);
    const [oldest] = this.#hidden;
    if (oldest !== undefined && this.#hidden.size >= HIDDEN_MAX) this.#hidden.delete(oldest);
    this.#hidden.add(id);
  }

  /** What a thread does now; `origin` where it was told. Instants are monotonic ms. */
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

  /** What the tool says that it does. */
  noteTool(doing: ThreadActivity, now: number): void {
    if (this.#tool === doing) return;
    this.#tool = doing;
    this.#changedAt = now;
  }

  /** ms until the next comparison is due; null: none is. */
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

  /** Whether it is the tool's own, and does what the tool does or did so at the last comparison. */
  isInSync(id: string): boolean {
    const thread = this.#threads.get(id);
    return thread?.isOwn === true && (thread.strayedAt === null || thread.doing === this.#tool);
  }

  /** Whether a thread that may be the tool's waits for an answer. */
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

  /** Compares all threads with the tool. Returns the thread that it surely shows, or null. Call when it is due. */
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
      // Whatever it did before was a coincidence.
      if (!thread.matched && !thread.isOwn) thread.steps = 0;
    }
    this.#toolAtComparison = this.#tool;
    if (only === undefined || others.length > 0) return null;
    const found = this.#threads.get(only);
    if (!found || found.steps === 0) return null;
    found.isOwn = true;
    return only;
  }

  /** None left: the tool shows another thread than before, and all are looked at anew. */
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

/** Null: it is not loaded. */
export function readThreadActivity({ type, activeFlags }: Json): ThreadActivity | null {
  if (type === "notLoaded") return null;
  if (type !== "active") return "idle";
  return toArray(activeFlags).length > 0 ? "waiting" : "working";
}

export function toThreadActivity(state: NonNullable<Signals["declared"]>["state"]): ThreadActivity {
  if (state === "blocked") return "waiting";
  return state === "working" ? "working" : "idle";
}

/** Null: a change of its state does not tell it. `folder`: the tool's. */
export function readOrigin({ cwd, parentThreadId }: Json, folder: string): Origin | null {
  const place = toText(cwd);
  if (place === null) return null;
  return { parent: toText(parentThreadId), isElsewhere: place !== folder };
}
