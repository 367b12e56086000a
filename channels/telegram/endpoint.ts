/** Where a bot's token goes. */
import type { ForeignEndpoint } from "../../src/sdk/channel.js";
import { findForeignEndpoint } from "../../src/sdk/service/endpoint.js";

/** The settings that decide it. */
interface TelegramEndpoint {
  readonly api_root: string;
  readonly token: string;
}

export const DEFAULT_API_ROOT = "https://api.telegram.org";

/** Null if the token goes to Telegram itself, or nowhere. */
export function findForeignTelegram({ api_root, token }: TelegramEndpoint): ForeignEndpoint | null {
  return findForeignEndpoint(api_root, DEFAULT_API_ROOT, [token]);
}
