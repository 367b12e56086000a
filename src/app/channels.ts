/** The channels of the package, by literal import so that the bundler sees them. Adding one means a line in each table. */
import type { GenericSchema } from "valibot";
import { slackSchema } from "../../channels/slack/config.js";
import { telegramSchema } from "../../channels/telegram/config.js";
import type { ChannelPlugin } from "../sdk/channel.js";

/** Their parts of the configuration file; light, for every command reads it. */
export const channelSchemas: Readonly<Record<string, GenericSchema>> = {
  telegram: telegramSchema,
  slack: slackSchema,
};

/** A plugin whose configuration type only itself knows; what it gets is what its own schema let through. */
export type AnyChannelPlugin = ChannelPlugin<never>;

/** There without any configuration. */
export const builtInChannels: Readonly<Record<string, unknown>> = { cli: {} };

/** Loaded only when configured: their libraries are heavy. */
export const channelLoaders: Readonly<Record<string, () => Promise<AnyChannelPlugin>>> = {
  cli: async () => (await import("../../channels/cli/index.js")).default as unknown as AnyChannelPlugin,
  telegram: async () =>
    (await import("../../channels/telegram/index.js")).default as unknown as AnyChannelPlugin,
  slack: async () => (await import("../../channels/slack/index.js")).default as unknown as AnyChannelPlugin,
};
