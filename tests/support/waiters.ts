import { HANG_MS } from "./hang-guards.js";

/** Falsy: not yet. */
export type Probe<T> = () => T | null | undefined | false;

/** Waits for something to happen in an emulator: every probe is called again whenever anything has happened there. */
export class Waiters {
  readonly #looks = new Set<() => void>();

  /** Resolves with the probe's first value. `what`: for the error when there is none in time. */
  waitFor<T>(probe: Probe<T>, what: string | (() => string), timeoutMs = HANG_MS): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#looks.delete(look);
        const wanted = typeof what === "string" ? what : what();
        reject(new Error(`waited ${timeoutMs} ms in vain for ${wanted}`));
      }, timeoutMs);
      const look = (): void => {
        const found = probe();
        if (found === null || found === undefined || found === false) return;
        clearTimeout(timer);
        this.#looks.delete(look);
        resolve(found);
      };
      this.#looks.add(look);
      look();
    });
  }

  changed(): void {
    for (const look of [...this.#looks]) look();
  }
}
