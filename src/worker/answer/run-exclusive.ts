/** Runs functions one after the other. */
export type RunExclusive = <T>(run: () => Promise<T>) => Promise<T>;

/** Everything that types into one terminal uses one of these, so that the effects of two answers are not confused. */
export function createRunExclusive(): RunExclusive {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const result = last.then(run, run);
    last = result;
    return result;
  };
}
