/** The channels' parts of the configuration file; light, for every command reads it. A new one has a line in `channels.ts` and `endpoints.ts` too. */
import type { GenericSchema } from "valibot";
import { slackSchema } from "../../../channels/slack/config.js";
import { telegramSchema } from "../../../channels/telegram/config.js";

const schemas = {
  telegram: telegramSchema,
  slack: slackSchema,
} as const satisfies Readonly<Record<string, GenericSchema>>;

/** The id of a channel that the configuration may hold. */
export type ConfigurableChannel = keyof typeof schemas;

export const channelSchemas: Readonly<Record<string, GenericSchema>> = schemas;
