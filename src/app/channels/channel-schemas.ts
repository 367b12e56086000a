/** The channels' parts of the configuration file; light, for every command reads it. A new one has a line in `channels.ts` too. */
import type { GenericSchema } from "valibot";
import { slackSchema } from "../../../channels/slack/config.js";
import { telegramSchema } from "../../../channels/telegram/config.js";

export const channelSchemas: Readonly<Record<string, GenericSchema>> = {
  telegram: telegramSchema,
  slack: slackSchema,
};
