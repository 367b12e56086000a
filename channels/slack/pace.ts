/** Slack's rate limits (its documentation). */
import type { Pace } from "../../src/sdk/channel.js";

export const PACE: Pace = {
  // One message per second and channel, with short bursts.
  place: () => [{ burst: 3, everyMs: 1_000 }],
  // Files are of tier 4, "100+ per minute" for the whole workspace; we send at most 95 messages of any kind per minute.
  all: [{ burst: 15, everyMs: 750 }],
  // `chat.update` is of tier 3, "50+ per minute" for the whole workspace; we send at most 48 per minute.
  edits: [{ burst: 8, everyMs: 1_500 }],
};
