const END_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Ends as a signal would end this process, but only after `work`, which `halt` aborts, has ended the program that it started. */
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
