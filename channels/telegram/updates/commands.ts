/** Registers the commands that the service suggests while somebody types: once, and again when the list has changed. */
import type { ChannelHost } from "../../../src/sdk/channel.js";
import type { BotApi } from "../bot-api/api.js";
import { TelegramCallError } from "../bot-api/failure.js";
import type { TelegramTiming } from "../limits.js";

/** The commands that people can send to the hub, which interprets them. */
const COMMANDS = [
  { command: "prompts", description: "list open prompts" },
  { command: "sessions", description: "list running sessions" },
  { command: "screen", description: "show a session's terminal" },
  { command: "stop", description: "interrupt a session" },
  { command: "pause", description: "accept no answers until resume" },
  { command: "resume", description: "accept answers again" },
  { command: "help", description: "list the commands" },
] as const;

interface CommandParts {
  readonly api: BotApi;
  readonly botId: number;
  readonly host: ChannelHost;
  readonly timing: TelegramTiming;
}

/** Never throws: everything works without the list, and the next connection tries again. */
export async function registerCommands({ api, botId, host, timing }: CommandParts): Promise<void> {
  const key = `commands:${botId}`;
  const wanted = JSON.stringify(COMMANDS);
  try {
    if (host.getSetting(key) === wanted) return;
    await api.call("setMyCommands", { commands: [...COMMANDS] }, { limitMs: timing.callMs });
    host.setSetting(key, wanted);
  } catch (error) {
    const reason = error instanceof TelegramCallError ? error.failure.reason : "unexpected";
    host.log("warn", "telegram refused the list of commands", { reason });
  }
}
