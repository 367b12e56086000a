/** Compares the disk space that AtlasBridge uses with its limit. */
import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Store } from "./store.js";

/** From this share on, settled rows are deleted early. */
const TIGHT_PART = 0.9;
/** The data directory normally holds a few files and captures. More files are not counted. */
const FILES_MAX = 5_000;
/** `captured_scenarios/<name>/<file>` */
const LEVELS_MAX = 3;
/** What a command prints in a console must keep no prompt out. It ends with its session, and each file has a limit of its own. */
const UNCOUNTED = "consoles";

export class DiskUse {
  readonly #store: Pick<Store, "countUsedBytes" | "path">;
  readonly #limitBytes: () => number;
  /** Everything except the database: its log, our logs, copies and captures beside it. */
  #otherBytes = 0;

  constructor(store: Pick<Store, "countUsedBytes" | "path">, limitBytes: () => number) {
    this.#store = store;
    this.#limitBytes = limitBytes;
  }

  measure(): void {
    const { path } = this.#store;
    const budget = { files: FILES_MAX };
    this.#otherBytes = sumBytes(dirname(path), LEVELS_MAX, path, budget);
  }

  get usedBytes(): number {
    return this.#store.countUsedBytes() + this.#otherBytes;
  }

  get limitBytes(): number {
    return this.#limitBytes();
  }

  report(): { readonly usedBytes: number; readonly limitBytes: number; readonly full: boolean } {
    return { usedBytes: this.usedBytes, limitBytes: this.limitBytes, full: this.isFull };
  }

  get isTight(): boolean {
    return this.usedBytes >= this.#limitBytes() * TIGHT_PART;
  }

  /** At the limit no new prompt is accepted. Open prompts can always be answered. */
  get isFull(): boolean {
    return this.usedBytes >= this.#limitBytes();
  }
}

function sumBytes(folder: string, levels: number, without: string, budget: { files: number }): number {
  if (levels === 0) return 0;
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (path === without || entry.name === UNCOUNTED || budget.files <= 0) continue;
    budget.files -= 1;
    if (entry.isDirectory()) bytes += sumBytes(path, levels - 1, without, budget);
    else if (entry.isFile()) bytes += statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  }
  return bytes;
}
