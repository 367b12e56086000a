/** Telegram's rate limits (its FAQ: one message a second to a chat, twenty a minute to a group, thirty a second in all). */
import type { Allowance, Pace } from "../../src/sdk/channel.js";

/** "Avoid sending more than one message per second"; short bursts are tolerated. */
const A_SECOND: Allowance = { burst: 3, everyMs: 1_000 };
/** Nobody reads more than twenty prompts a minute. */
const A_MINUTE: Allowance = { burst: 20, everyMs: 3_000 };
/** At most eighteen per minute: a card's file, or a late call, may be the nineteenth and twentieth. */
const A_MINUTE_IN_GROUP: Allowance = { burst: 6, everyMs: 5_000 };

export const PACE: Pace = {
  // Groups have negative ids.
  place: (place) => [A_SECOND, place.startsWith("-") ? A_MINUTE_IN_GROUP : A_MINUTE],
  // Thirty per second, with the same reserve.
  all: [{ burst: 8, everyMs: 50 }],
  edits: [],
};
