/** How much of the disk all that is ours takes, against what it may take. */
import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Store } from "./store.js";

/** From here on what is settled is forgotten early. */
const TIGHT_PART = 0.9;
/** Files of a data directory: a few, and what people captured. More are not looked at. */
const FILES_MAX = 5_000;
/** `captured_scenarios/<name>/<file>` */
const LEVELS_MAX = 3;

export class DiskUse {
  readonly #store: Pick<Store, "usedBytes" | "path">;
  readonly #limitBytes: () => number;
  /** Of everything but the database itself: its log, our logs, copies and captures that lie beside it. */
  #otherBytes = 0;

  constructor(store: Pick<Store, "usedBytes" | "path">, limitBytes: () => number) {
    this.#store = store;
    this.#limitBytes = limitBytes;
  }

  /** Looks at the files anew. The database's own share is always known. */
  measure(): void {
    const { path } = this.#store;
    const budget = { files: FILES_MAX };
    this.#otherBytes = bytesBelow(dirname(path), LEVELS_MAX, path, budget);
  }

  get usedBytes(): number {
    return this.#store.usedBytes() + this.#otherBytes;
  }

  get limitBytes(): number {
    return this.#limitBytes();
  }

  /** For whoever asks after the hub. */
  report(): { readonly usedBytes: number; readonly limitBytes: number; readonly full: boolean } {
    return { usedBytes: this.usedBytes, limitBytes: this.limitBytes, full: this.isFull };
  }

  get isTight(): boolean {
    return this.usedBytes >= this.#limitBytes() * TIGHT_PART;
  }

  /** No new question is taken. Answers to those that stand always are. */
  get isFull(): boolean {
    return this.usedBytes >= this.#limitBytes();
  }
}

function bytesBelow(folder: string, levels: number, without: string, budget: { files: number }): number {
  if (levels === 0) return 0;
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (path === without || budget.files <= 0) continue;
    budget.files -= 1;
    if (entry.isDirectory()) bytes += bytesBelow(path, levels - 1, without, budget);
    else if (entry.isFile()) bytes += statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  }
  return bytes;
}
