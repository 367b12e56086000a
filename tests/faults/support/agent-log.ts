/** What the agent in the terminal saw: every byte, with the question that stood there. The only witness that counts. */
import { existsSync, readFileSync } from "node:fs";

export interface Entry {
  readonly at: number;
  /** The system's monotonic time, the same in all processes. */
  readonly us: number;
  readonly pid?: number;
  /** Serial of a question, and its words; two may have the same words. */
  readonly ask?: number;
  readonly job?: string;
  readonly gone?: number;
  readonly in?: string;
  readonly to?: number | null;
  readonly took?: number;
  readonly row?: string;
  readonly end?: boolean;
}

export interface Asked {
  readonly id: number;
  readonly job: string;
  readonly at: number;
}

export class AgentLog {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  get entries(): Entry[] {
    if (!existsSync(this.#path)) return [];
    const lines = readFileSync(this.#path, "utf8").split("\n").slice(0, -1);
    return lines.map((line) => JSON.parse(line) as Entry);
  }

  get pid(): number | null {
    return this.entries.find(({ pid }) => pid !== undefined)?.pid ?? null;
  }

  get hasEnded(): boolean {
    return this.entries.some(({ end }) => end === true);
  }

  get asked(): Asked[] {
    return this.entries.flatMap(({ ask, job, at }) =>
      ask === undefined || !job ? [] : [{ id: ask, job, at }],
    );
  }

  /** What is asked now; null between two questions and after the end. */
  get open(): Asked | null {
    const { entries } = this;
    const last = this.asked.at(-1);
    const isOver = entries.some(
      ({ took, gone, end }) => took === last?.id || gone === last?.id || end === true,
    );
    return last === undefined || isOver ? null : last;
  }
}
