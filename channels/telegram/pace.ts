/** Telegram's rate limits (its FAQ: one message a second to a chat, twenty a minute to a group, thirty a second in all). */
import type { Allowance, Pace } from "../../src/sdk/channel.js";

/** "Avoid sending more than one message per second"; short bursts are tolerated. The only limit of a private chat. */
const A_SECOND: Allowance = { burst: 3, everyMs: 1_000 };
/**
 * Edits count like messages. Eighteen: a card's file, or a call that began before the minute and arrives in it, may be the nineteenth
 * and twentieth. Two seconds more than a minute: what is sent last may arrive sooner than what was sent first.
 */
const A_MINUTE_IN_GROUP: Allowance = { most: 18, withinMs: 62_000 };
/** Spreads them over the minute: otherwise a prompt after a burst would wait for most of it. */
const SPREAD_IN_GROUP: Allowance = { burst: 4, everyMs: 3_500 };

export const PACE: Pace = {
  // Groups have negative ids.
  place: (place) => (place.startsWith("-") ? [A_SECOND, SPREAD_IN_GROUP, A_MINUTE_IN_GROUP] : [A_SECOND]),
  // Thirty per second, with the same reserve.
  all: [{ burst: 8, everyMs: 50 }],
  edits: [],
};
