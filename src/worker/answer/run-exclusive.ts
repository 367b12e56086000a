/** One answer at a time: the effect of one answer on the picture must not be taken for the effect of another. */

const queues = new WeakMap<object, Promise<unknown>>();

/** Runs after everything that was queued earlier for this terminal (`owner`) has finished, successfully or not. */
export function runExclusive<T>(owner: object, run: () => Promise<T>): Promise<T> {
  const result = (queues.get(owner) ?? Promise.resolve()).then(run, run);
  queues.set(owner, result);
  return result;
}
