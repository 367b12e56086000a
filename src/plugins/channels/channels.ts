/** The package's channels, with literal imports so that the bundler finds them. A new one also needs a line in `channel-schemas.ts`. */
import type { ChannelPlugin } from "../../sdk/channel.js";

/** Only the plugin knows the type of its configuration, which its own schema has checked. */
export type AnyChannelPlugin = ChannelPlugin<never>;

export const builtInChannels: Readonly<Record<string, unknown>> = { cli: {} };

/** Loaded when configured, because the libraries are heavy. */
export const channelLoaders: Readonly<Record<string, () => Promise<AnyChannelPlugin>>> = {
  cli: async () => (await import("../../../channels/cli/index.js")).default,
  telegram: async () => (await import("../../../channels/telegram/index.js")).default,
  slack: async () => (await import("../../../channels/slack/index.js")).default,
};
