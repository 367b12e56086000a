/** Creates the channel from its configuration. */
import { AtlasBridgeError, type ChannelHost } from "../../src/sdk/channel.js";
import { BotApi } from "./bot-api/api.js";
import { TelegramChannel } from "./channel.js";
import { parseBotId, type TelegramConfig } from "./config.js";
import { normaliseAddress } from "../../src/sdk/service/endpoint.js";
import { TIMING, type TelegramTiming } from "./limits.js";

/** Errors: AtlasBridgeError ATB_CONFIG_INVALID. Only tests shorten `timing`. */
export function createTelegram(
  config: TelegramConfig,
  host: ChannelHost,
  timing: TelegramTiming = TIMING,
): TelegramChannel {
  const botId = parseBotId(config.token);
  if (botId === null)
    throw createConfigError(
      "channels.telegram.token is not a bot token (digits, a colon, letters)",
      "Copy it from @BotFather.",
    );
  const root = normaliseAddress(config.api_root);
  if (root === null)
    throw createConfigError(
      "channels.telegram.api_root is not an http(s) URL",
      "Omit it to use Telegram's own.",
    );
  const api = new BotApi(config.token, root, host.clock, (chatId) => host.wrote(chatId));
  const places = config.deliver_to.map(String);
  return new TelegramChannel({ api, botId, host, timing, places, random: () => host.random() });
}

function createConfigError(message: string, hint: string): AtlasBridgeError {
  return new AtlasBridgeError("ATB_CONFIG_INVALID", message, { hint });
}
