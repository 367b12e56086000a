/** Whether the configured address of a channel is confirmed already. */
import type { Paths } from "../../config/paths.js";
import { withHub } from "../client.js";

/**
 * The hub knows: it opens a channel with a custom address only after that was confirmed for exactly these tokens. Errors:
 * ATB_CHANNEL_UNKNOWN, ATB_CONFIG_*, ATB_HUB_*: then nobody knows.
 */
export function isAddressConfirmed(paths: Paths, channel: string): Promise<boolean> {
  return withHub(
    paths,
    async (hub) => (await hub.call("channel.trust", { channel, address: null })).confirmed,
  );
}
