/** What a tool that waits only for a time (`answerBy`) means for the hub's own deadline. */

/**
 * How much later than the tool the hub gives up. Normally the worker withdraws a prompt when its tool continues: this is for a worker that is
 * gone.
 */
export const WITHDRAW_GRACE_MS = 2_000;
