/** The package's channels, with literal imports so that the bundler finds them. A new one also needs a line in `channel-schemas.ts`. */
import type { ChannelPlugin } from "../../sdk/channel.js";

/** A plugin whose configuration type is known only to itself; it receives what its own schema accepted. */
export type AnyChannelPlugin = ChannelPlugin<never>;

/** Available without configuration. */
export const builtInChannels: Readonly<Record<string, unknown>> = { cli: {} };

/** Loaded only when configured, because their libraries are heavy. */
export const channelLoaders: Readonly<Record<string, () => Promise<AnyChannelPlugin>>> = {
  cli: async () => (await import("../../../channels/cli/index.js")).default as unknown as AnyChannelPlugin,
  telegram: async () =>
    (await import("../../../channels/telegram/index.js")).default as unknown as AnyChannelPlugin,
  slack: async () =>
    (await import("../../../channels/slack/index.js")).default as unknown as AnyChannelPlugin,
};
