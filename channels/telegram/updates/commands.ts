/** Registers the commands that the service suggests while somebody types: once, and again when the list has changed. */
import type { ChannelHost } from "../../../src/sdk/channel.js";
import type { BotApi } from "../bot-api/api.js";
import { SUGGESTED_COMMANDS } from "../../../src/sdk/inbound.js";
import { TelegramCallError } from "../bot-api/failure.js";
import type { TelegramTiming } from "../limits.js";

interface CommandParts {
  readonly api: BotApi;
  readonly botId: number;
  readonly host: ChannelHost;
  readonly timing: TelegramTiming;
}

/** Never throws: everything works without the list, and the next connection tries again. */
export async function registerCommands({ api, botId, host, timing }: CommandParts): Promise<void> {
  const key = `commands:${botId}`;
  const suggested = JSON.stringify(SUGGESTED_COMMANDS);
  try {
    if (host.getSetting(key) === suggested) return;
    await api.call("setMyCommands", { commands: [...SUGGESTED_COMMANDS] }, { limitMs: timing.callMs });
    host.setSetting(key, suggested);
  } catch (error) {
    const reason = error instanceof TelegramCallError ? error.failure.reason : "unexpected";
    host.log("warn", "telegram refused the list of commands", { reason });
  }
}
