/** Sends styled text without automatic links; as plain text if the service refuses the styles. */
import type { ChannelHost } from "../../../src/sdk/channel.js";
import type { BotApi } from "../bot-api/api.js";
import { createInvalidReplyError, isMarkupRefusal } from "../bot-api/failure.js";
import type { Keyboard } from "./keyboard.js";
import type { TelegramTiming } from "../limits.js";
import { toHtml, toPlain } from "./markup.js";
import { type TelegramSpan } from "./span.js";

interface SendParts {
  readonly api: BotApi;
  readonly host: ChannelHost;
  readonly timing: TelegramTiming;
}

/** Links in a prompt must not fetch anything, and a preview would push the buttons away. */
export const NO_PREVIEW = { link_preview_options: { is_disabled: true } };

/** Options sent with the text. */
export interface Extra {
  reply_markup?: Keyboard;
  reply_parameters?: { message_id: number; allow_sending_without_reply: boolean };
  message_thread_id?: number;
  disable_notification?: true;
}

/** Returns the message's id. Errors: TelegramCallError. */
export async function sendText(
  { api, host, timing }: SendParts,
  chatId: number,
  spans: readonly TelegramSpan[],
  extra: Extra,
): Promise<number> {
  const common = { chat_id: chatId, ...NO_PREVIEW, ...extra };
  const options = { limitMs: timing.callMs };
  try {
    const html = { ...common, text: toHtml(spans), parse_mode: "HTML" as const };
    return requireMessageId("sendMessage", await api.call("sendMessage", html, options));
  } catch (error) {
    if (!isMarkupRefusal(error)) throw error;
    host.log("warn", "telegram refused a card's markup; sent as plain text");
    const bare = { ...common, text: toPlain(spans) };
    return requireMessageId("sendMessage", await api.call("sendMessage", bare, options));
  }
}

/** Checked because a proxy may respond with anything: without its id a card could never be settled. */
export function requireMessageId(method: string, sent: { readonly message_id: number } | null): number {
  if (Number.isSafeInteger(sent?.message_id)) return Number(sent?.message_id);
  throw createInvalidReplyError(method);
}
