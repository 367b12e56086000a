/** Runs what it is given, one after the other. */
export type RunExclusive = <T>(run: () => Promise<T>) => Promise<T>;

/** For all that types into one terminal: the effect of one answer on the picture must not be taken for the effect of another. */
export function createRunExclusive(): RunExclusive {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const result = last.then(run, run);
    last = result;
    return result;
  };
}
