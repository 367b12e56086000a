/** The commands that the service offers while somebody types: registered once, and again whenever the list has changed. */
import type { ChannelHost } from "../../../src/sdk/channel.js";
import type { BotApi } from "../bot-api/api.js";
import { TelegramCallError } from "../bot-api/failure.js";
import type { TelegramTiming } from "../limits.js";

/** What people may write to the hub; what the words do is the hub's affair. */
const COMMANDS = [
  { command: "prompts", description: "what waits for an answer" },
  { command: "sessions", description: "what runs" },
  { command: "screen", description: "show a session's terminal" },
  { command: "stop", description: "interrupt what a session is doing" },
  { command: "pause", description: "take no answer from anybody until resume" },
  { command: "resume", description: "take answers again" },
  { command: "help", description: "what can be written here" },
] as const;

interface CommandParts {
  readonly api: BotApi;
  readonly botId: number;
  readonly host: ChannelHost;
  readonly timing: TelegramTiming;
}

/** Never throws: without the list everything works as well, and the next connection tries again. */
export async function registerCommands({ api, botId, host, timing }: CommandParts): Promise<void> {
  const key = `commands:${botId}`;
  const wanted = JSON.stringify(COMMANDS);
  try {
    if (host.getSetting(key) === wanted) return;
    await api.call("setMyCommands", { commands: [...COMMANDS] }, { limitMs: timing.callMs });
    host.setSetting(key, wanted);
  } catch (error) {
    const reason = error instanceof TelegramCallError ? error.failure.reason : "unexpected";
    host.log("warn", "telegram did not take the list of commands", { reason });
  }
}
