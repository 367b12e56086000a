/**
 * The channels' parts of the configuration schema, kept light because every command loads it. A new channel also needs a line
 * in `channels.ts` and `endpoints.ts`.
 */
import type { GenericSchema } from "valibot";
import { slackSchema } from "../../../channels/slack/config.js";
import { telegramSchema } from "../../../channels/telegram/config.js";

const schemas = {
  telegram: telegramSchema,
  slack: slackSchema,
} as const satisfies Readonly<Record<string, GenericSchema>>;

export type ConfigurableChannel = keyof typeof schemas;

export const channelSchemas: Readonly<Record<string, GenericSchema>> = schemas;
