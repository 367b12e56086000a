/** The result of `work`, or `otherwise` where it throws. Only for errors that say nothing more than that there is no result. */
export function attempt<Result, Otherwise>(work: () => Result, otherwise: Otherwise): Result | Otherwise {
  try {
    return work();
  } catch {
    return otherwise;
  }
}
