/** The `channels.slack` part of the configuration. Every command imports it: keep it free of bolt. */
import * as v from "valibot";
import { DEFAULT_API_URL } from "./endpoint.js";

const conversation = v.pipe(
  v.string("expected a conversation id such as C0123ABCD"),
  v.regex(/^[CDG][A-Z0-9]{2,20}$/, "expected a conversation id such as C0123ABCD"),
);

/** Strings may still be `${ENV}` references here: their form is checked when the channel is created. */
export const slackSchema = v.strictObject({
  app_token: v.pipe(v.string(), v.minLength(1, "expected the app-level token, xapp-…")),
  bot_token: v.pipe(v.string(), v.minLength(1, "expected the bot token, xoxb-…")),
  api_url: v.optional(v.pipe(v.string(), v.minLength(1)), DEFAULT_API_URL),
  deliver_to: v.optional(v.array(conversation), []),
});

export type SlackConfig = v.InferOutput<typeof slackSchema>;

const APP_TOKEN = /^xapp-[\w-]{1,250}$/;
const BOT_TOKEN = /^xoxb-[\w-]{1,250}$/;

/** The problem of the two tokens, without repeating them; null if they look valid. */
export function findTokenProblem({ app_token: app, bot_token: bot }: SlackConfig): string | null {
  if (BOT_TOKEN.test(app) && APP_TOKEN.test(bot)) return "app_token and bot_token are swapped";
  if (!APP_TOKEN.test(app)) return "app_token is not an app-level token (it must begin with xapp-)";
  if (!BOT_TOKEN.test(bot)) return "bot_token is not a bot token (it must begin with xoxb-)";
  return null;
}

/** An address in a response is used only if it leads back to the service. */
export function belongsToService(address: string, apiUrl: string): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  if (url.origin === new URL(apiUrl).origin) return true;
  return url.protocol === "https:" && url.hostname.endsWith(".slack.com");
}

/** Whether an envelope connection may go there: to the service itself, or to a host below its domain. */
export function leadsToService(address: URL, apiUrl: string): boolean {
  const api = new URL(apiUrl);
  if (address.host === api.host && address.protocol === api.protocol) return true;
  if (address.protocol !== "https:") return false;
  return [".slack.com", `.${api.hostname}`].some((suffix) => address.hostname.endsWith(suffix));
}
