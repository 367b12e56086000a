/** Creates the channel from its configuration. */
import { AtlasBridgeError, type ChannelHost } from "../../src/sdk/channel.js";
import { SlackApi } from "./web-api/api.js";
import { SlackChannel } from "./channel.js";
import { findTokenProblem, type SlackConfig } from "./config.js";
import { normaliseAddress } from "../../src/sdk/service/endpoint.js";
import { TIMING, type SlackTiming } from "./limits.js";

/** Errors: AtlasBridgeError ATB_CONFIG_INVALID. Only tests shorten `timing`. */
export function createSlack(
  config: SlackConfig,
  host: ChannelHost,
  timing: SlackTiming = TIMING,
): SlackChannel {
  const problem = findTokenProblem(config);
  if (problem !== null)
    throw createConfigError(`channels.slack: ${problem}`, "Copy both from https://api.slack.com/apps.");
  const apiUrl = normaliseAddress(config.api_url);
  if (apiUrl === null)
    throw createConfigError("channels.slack.api_url is not an http(s) URL", "Omit it to use Slack's own.");
  const { clock } = host;
  const api = new SlackApi(config.bot_token, apiUrl, { clock, timing }, (channel) => host.wrote(channel));
  return new SlackChannel({ api, appToken: config.app_token, host, timing, random: () => host.random() });
}

function createConfigError(message: string, hint: string): AtlasBridgeError {
  return new AtlasBridgeError("ATB_CONFIG_INVALID", message, { hint });
}
