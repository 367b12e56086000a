import { findNearest } from "../../model/data/nearest.js";
import { AtlasBridgeError } from "../../model/errors.js";
import type { Pairing } from "../../sdk/channel.js";
import { channelSchemas } from "../../plugins/channels/channel-schemas.js";
import { channelLoaders } from "../../plugins/channels/channels.js";

/** Errors: ATB_CHANNEL_UNKNOWN. */
export async function loadPairing(channel: string): Promise<Pairing<never>> {
  const pairing = (await channelLoaders[channel]?.())?.pairing;
  if (pairing) return pairing;
  const names = Object.keys(channelSchemas);
  const meant = findNearest(channel, names);
  throw new AtlasBridgeError("ATB_CHANNEL_UNKNOWN", `there is no channel "${channel}" to pair with`, {
    hint: meant ? `Did you mean "${meant}"?` : `Available: ${names.join(", ")}.`,
  });
}
