/** Runs work that starts its own program: a signal that ends this process must not leave that program behind. */

const END_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** `work` cleans up and settles when `halt` aborts; then this process ends as the signal would have ended it. */
export async function runUntilEnded<T>(work: (halt: AbortSignal) => Promise<T>): Promise<T> {
  const halt = new AbortController();
  const onSignal = (signal: NodeJS.Signals): void => halt.abort(signal);
  for (const signal of END_SIGNALS) process.on(signal, onSignal);
  try {
    return await work(halt.signal);
  } finally {
    for (const signal of END_SIGNALS) process.off(signal, onSignal);
    if (halt.signal.aborted) process.kill(process.pid, halt.signal.reason as NodeJS.Signals);
  }
}
