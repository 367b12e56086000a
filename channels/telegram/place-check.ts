/** Checks whether the configured chats exist and accept messages, because a refused card would reveal it too late. */
import type { BotApi } from "./bot-api/api.js";
import { TelegramCallError } from "./bot-api/failure.js";

export interface RefusedChat {
  readonly place: string;
  /** The service's text. */
  readonly reason: string;
}

export const CHAT_ADVICE = "write /start to the bot there, or correct deliver_to";

/** The chats that the service refuses, each checked for at most `limitMs`. No response proves nothing. */
export async function findRefusedChats(
  api: BotApi,
  places: readonly string[],
  limitMs: number,
): Promise<RefusedChat[]> {
  const checks = places.map(async (place) => {
    try {
      await api.call("getChat", { chat_id: Number(place) }, { limitMs });
      return [];
    } catch (error) {
      const isRefused = error instanceof TelegramCallError && error.failure.kind === "refused";
      return isRefused ? [{ place, reason: error.failure.reason }] : [];
    }
  });
  return (await Promise.all(checks)).flat();
}
