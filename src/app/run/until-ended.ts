/** Work that starts a program of its own: a signal that ends us must not leave that behind. */

const END_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** `work` puts away what it started as soon as `halt` is told, and settles; then we end as the signal would have ended us. */
export async function untilEnded<T>(work: (halt: AbortSignal) => Promise<T>): Promise<T> {
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
