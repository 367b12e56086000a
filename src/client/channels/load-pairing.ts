import { findNearest } from "../../model/data/nearest.js";
import type { Config } from "../../config/schema.js";
import { AtlasBridgeError } from "../../model/errors.js";
import type { Pairing } from "../../sdk/channel.js";
import { channelSchemas } from "../../plugins/channels/channel-schemas.js";
import { channelLoaders, type AnyChannelPlugin } from "../../plugins/channels/channels.js";
import { readPlaces } from "./list-channels.js";

/** Errors: ATB_CHANNEL_UNKNOWN. */
export async function loadPairing(channel: string): Promise<Pairing<never>> {
  return (await loadPlugin(channel)).pairing;
}

/** Errors: ATB_CHANNEL_UNKNOWN. */
export async function loadPlugin(
  channel: string,
): Promise<Pick<AnyChannelPlugin, "personAt"> & { readonly pairing: Pairing<never> }> {
  const plugin = await channelLoaders[channel]?.();
  if (plugin?.pairing) return { ...plugin, pairing: plugin.pairing };
  const names = Object.keys(channelSchemas);
  const meant = findNearest(channel, names);
  throw new AtlasBridgeError("ATB_CHANNEL_UNKNOWN", `there is no channel "${channel}" to pair with`, {
    hint: meant ? `Did you mean "${meant}"?` : `Available: ${names.join(", ")}.`,
  });
}

/** The chats that only one of `identities` reads, written `telegram:1002`. */
export async function findPrivateChats(
  channels: Config["channels"],
  identities: readonly string[],
): Promise<string[]> {
  const found = Object.entries(channels).map(async ([id, settings]) => {
    const plugin = await channelLoaders[id]?.();
    const isTheirs = (place: string): boolean => identities.includes(plugin?.personAt?.(place) ?? "");
    return readPlaces(settings)
      .filter(isTheirs)
      .map((place) => `${id}:${place}`);
  });
  return (await Promise.all(found)).flat();
}
