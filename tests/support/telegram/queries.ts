/** Callback queries: each is answered at most once and only for a while. */
import { badRequest } from "./refusal.js";

export interface CallbackAnswer {
  readonly text: string;
  readonly alert: boolean;
}

interface Query {
  readonly askedAt: number;
  answer: CallbackAnswer | null;
}

export class Queries {
  readonly #ttlMs: number;
  readonly #queries = new Map<string, Query>();

  constructor(ttlMs: number) {
    this.#ttlMs = ttlMs;
  }

  ask(): string {
    // Real ids are 64-bit numbers written as text.
    const id = String(4_611_686_018_427_387_904n + BigInt(this.#queries.size));
    this.#queries.set(id, { askedAt: performance.now(), answer: null });
    return id;
  }

  answer(id: string, answer: CallbackAnswer): void {
    const query = this.#queries.get(id);
    if (!query || query.answer || performance.now() - query.askedAt > this.#ttlMs)
      throw badRequest("query is too old and response timeout expired or query ID is invalid");
    query.answer = answer;
  }

  /** Ids of those that still turn their spinner. */
  get unanswered(): readonly string[] {
    return [...this.#queries].filter(([, { answer }]) => answer === null).map(([id]) => id);
  }

  findAnswer(id: string): CallbackAnswer | null {
    return this.#queries.get(id)?.answer ?? null;
  }
}
