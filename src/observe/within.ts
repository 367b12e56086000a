import type { Clock } from "../model/clock.js";

/** Rejects with a plain Error that says `problem` after `ms`; the promise's later result is ignored. */
export function withTimeLimit<T>(
  promise: Promise<T>,
  ms: number,
  clock: Clock,
  problem = `no result within ${ms} ms`,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => reject(new Error(problem)));
    promise.then(resolve, reject).finally(cancel);
  });
}
