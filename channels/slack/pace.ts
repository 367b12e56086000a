/** How often Slack may be written to (its documentation of rate limits). */
import type { Pace } from "../../src/sdk/channel.js";

export const PACE: Pace = {
  // One message a second and channel, with short bursts over it.
  place: () => [{ burst: 3, everyMs: 1_000 }],
  // Files are of tier 4, "100+ per minute" for the whole workspace; in any minute at most 95 of whatever kind.
  all: [{ burst: 15, everyMs: 750 }],
  // `chat.update` is of tier 3, "50+ per minute" for the whole workspace; in any minute at most 48.
  edits: [{ burst: 8, everyMs: 1_500 }],
};
