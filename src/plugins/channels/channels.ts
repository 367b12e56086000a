/** The channels of the package, by literal import so that the bundler sees them. A new one also has a line in `channel-schemas.ts`. */
import type { ChannelPlugin } from "../../sdk/channel.js";

/** A plugin whose configuration type only itself knows; what it gets is what its own schema let through. */
export type AnyChannelPlugin = ChannelPlugin<never>;

/** There without any configuration. */
export const builtInChannels: Readonly<Record<string, unknown>> = { cli: {} };

/** Loaded only when configured: their libraries are heavy. */
export const channelLoaders: Readonly<Record<string, () => Promise<AnyChannelPlugin>>> = {
  cli: async () => (await import("../../../channels/cli/index.js")).default as unknown as AnyChannelPlugin,
  telegram: async () =>
    (await import("../../../channels/telegram/index.js")).default as unknown as AnyChannelPlugin,
  slack: async () =>
    (await import("../../../channels/slack/index.js")).default as unknown as AnyChannelPlugin,
};
