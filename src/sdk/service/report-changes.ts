/** Reports the state of a channel's connection. */
import type { ChannelHealth, ChannelHost } from "../channel.js";

/** Returns a function that reports a state if it differs from the last one, and says whether it did. */
export function reportChanges(host: Pick<ChannelHost, "report">): (health: ChannelHealth) => boolean {
  let reported = "";
  return (health) => {
    const snapshot = JSON.stringify(health);
    if (snapshot === reported) return false;
    reported = snapshot;
    host.report(health);
    return true;
  };
}
