/** One answer at a time: what an answer does to the picture must not be taken for another's effect. */

const queues = new WeakMap<object, Promise<unknown>>();

/** Runs when all that was handed in before for this terminal (or whoever stands for it) is through, whatever came of it. */
export function runExclusive<T>(of: object, run: () => Promise<T>): Promise<T> {
  const result = (queues.get(of) ?? Promise.resolve()).then(run, run);
  queues.set(of, result);
  return result;
}
