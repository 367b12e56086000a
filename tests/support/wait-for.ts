import { vi } from "vitest";
import { HANG_MS } from "./hang-guards.js";

/** Calls `attempt` until it throws no more, and returns what it returned. */
export function waitFor<T>(attempt: () => T | Promise<T>, timeoutMs = HANG_MS): Promise<T> {
  // Hundreds of messages may wait for each other.
  return vi.waitFor(attempt, { timeout: timeoutMs, interval: 5 });
}
