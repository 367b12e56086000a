/** Limits that only end what hangs. They decide nothing: a wait or test that reaches its limit fails. */

/** Of every wait for a condition, in ms. */
export const HANG_MS = 60_000;

/** Of a test or hook, in ms. */
export const TEST_HANG_MS = 300_000;
