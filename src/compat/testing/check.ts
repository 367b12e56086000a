import assert from "node:assert/strict";

/** One thing that a contract demands, for any test runner: `test(name, { skip }, run)`. */
export interface ContractCheck {
  readonly name: string;
  /** Rejects with an AssertionError that says what was expected and what was found. */
  readonly run: () => Promise<void>;
  /** Why nothing is asked: what the tested object says it cannot do. Absent: it is asked. */
  readonly skip?: string;
}

export function checkAtOnce(name: string, act: () => void): ContractCheck {
  return { name, run: () => Promise.resolve().then(act) };
}

/** Only ends what hangs: a tool that is asked has time to start on a busy machine. */
const HANG_MS = 60_000;
const POLL_MS = 10;

/** Resolves with the first value that is not null. Errors: after a minute, with `what` in the message. */
export async function waitFor<T>(what: string, probe: () => T | null | Promise<T | null>): Promise<T> {
  const start = performance.now();
  for (;;) {
    const found = await probe();
    if (found !== null) return found;
    if (performance.now() - start > HANG_MS) assert.fail(`${what}: not within ${HANG_MS / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
