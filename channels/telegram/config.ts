/** The `channels.telegram` part of the configuration. Every command imports it: keep it free of telegraf. */
import * as v from "valibot";
import { asId, type Identity } from "../../src/sdk/channel.js";
import { DEFAULT_API_ROOT } from "./endpoint.js";

const chatId = v.pipe(
  v.number("expected a chat id such as 1001 or -1001234567890"),
  v.safeInteger("expected a chat id such as 1001 or -1001234567890"),
);

/** Strings may still be `${ENV}` references here: their form is checked when the channel is created. */
export const telegramSchema = v.strictObject({
  token: v.pipe(v.string(), v.minLength(1, "expected the token that @BotFather gave")),
  api_root: v.optional(v.pipe(v.string(), v.minLength(1)), DEFAULT_API_ROOT),
  deliver_to: v.optional(v.array(chatId), []),
});

export type TelegramConfig = v.InferOutput<typeof telegramSchema>;

const TOKEN = /^(\d{1,20}):[\w-]{1,128}$/;

/** The bot's user id is the first part of its token; null if the token is malformed. */
export function parseBotId(token: string): number | null {
  const id = Number(TOKEN.exec(token)?.[1]);
  return Number.isSafeInteger(id) ? id : null;
}

/** A private chat has its person's own id; ids of groups and channels are negative. */
export function findPrivatePerson(place: string): Identity | null {
  return Number(place) > 0 ? asId<Identity>(`telegram:${place}`) : null;
}
