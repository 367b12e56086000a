/** The bot's side of a pairing: whether the token is valid and whose it is, how to make a bot, and the greeting. */
import * as v from "valibot";
import { AtlasBridgeError, type Clock, type GroupFacts, type PairingAccount } from "../../src/sdk/channel.js";
import { BotApi } from "./bot-api/api.js";
import { parseBotId, type TelegramConfig } from "./config.js";
import { normaliseAddress } from "../../src/sdk/service/endpoint.js";
import { TelegramCallError, createInvalidReplyError } from "./bot-api/failure.js";

const BOTFATHER = "https://t.me/BotFather";

/** What a person does before there is a token. */
export const PREPARATION = {
  preparation: [
    "Your prompts come from a Telegram bot of your own. @BotFather makes it:",
    `  1. Open ${BOTFATHER} and press Start.`,
    "  2. Send /newbot. It asks for a name (any) and a username (must end in bot).",
    "  3. It answers with a token such as 123456789:AAH… Copy it and paste it here.",
    "     Whoever has the token can act as your bot: do not show it to anybody.",
  ].join("\n"),
  preparationLink: BOTFATHER,
  afterRemoval: "The bot itself still exists. Send /deletebot to @BotFather to delete it.",
} as const;

/** A person waits at the terminal for this. */
const CHECK_MS = 15_000;

export interface BotIdentity extends PairingAccount {
  readonly botId: number;
  readonly username: string;
}

/** Errors: AtlasBridgeError ATB_PAIRING_FAILED. */
export async function checkToken(
  config: TelegramConfig,
  clock: Clock,
  limitMs = CHECK_MS,
): Promise<BotIdentity> {
  const api = createApi(config, clock);
  try {
    const { id, username } = await fetchBot(api, limitMs);
    const account = `@${username}`;
    return {
      botId: id,
      username,
      account,
      invite: (code) => `Or send this code to ${account}:  ${code}`,
      link: (code) => buildLink(username, code),
      inviteGroup: (code) =>
        `To have prompts in a group instead, add ${account} to it and write there:\n  /start@${username} ${code}`,
    };
  } catch (error) {
    throw explainError(error);
  }
}

/** Connects to nothing yet. Errors: AtlasBridgeError ATB_PAIRING_FAILED. */
export function createApi(config: TelegramConfig, clock: Clock): BotApi {
  const root = normaliseAddress(config.api_root);
  if (root === null) throw createPairingError("channels.telegram.api_root is not an http(s) URL", "Omit it.");
  if (parseBotId(config.token) === null)
    throw createPairingError("this is not a bot token: expected digits, a colon and letters", TOKEN_HINT);
  return new BotApi(config.token, root, clock, () => undefined);
}

/** The service allows letters, digits and underscores. The name is printed and becomes part of a link. */
const bot = v.object({ id: v.number(), username: v.pipe(v.string(), v.regex(/^\w{1,64}$/)) });

async function fetchBot(api: BotApi, limitMs: number): Promise<v.InferOutput<typeof bot>> {
  const me = v.safeParse(bot, await api.call("getMe", {}, { limitMs }));
  if (!me.success) throw createInvalidReplyError("getMe");
  return me.output;
}

const TOKEN_HINT =
  "Copy the whole token from @BotFather (/newbot makes a bot, /mybots shows the token of one you have).";

function buildLink(username: string, code: string): string {
  return `https://t.me/${username}?start=${encodeURIComponent(code)}`;
}

/** Explains a failed call to people; any other error is returned unchanged. */
export function explainError(error: unknown): unknown {
  if (!(error instanceof TelegramCallError)) return error;
  const { kind, reason } = error.failure;
  if (kind === "unauthorized")
    return createPairingError(`Telegram does not know this token (${reason})`, TOKEN_HINT);
  return new AtlasBridgeError("ATB_CHANNEL_UNREACHABLE", `Telegram is unreachable: ${reason}`, {
    hint: "Check the network and try again.",
  });
}

/** Posts `text` in the chat. Errors: AtlasBridgeError ATB_PAIRING_FAILED, ATB_CHANNEL_UNREACHABLE. */
export async function greet(
  config: TelegramConfig,
  place: string,
  text: string,
  clock: Clock,
): Promise<void> {
  const api = createApi(config, clock);
  const chatId = Number(place);
  try {
    const advice = (await fetchGroup(api, chatId))?.is_forum ? `\n\n${TOPICS_ADVICE}` : "";
    await api.call("sendMessage", { chat_id: chatId, text: text + advice }, { limitMs: CHECK_MS });
  } catch (error) {
    if (error instanceof TelegramCallError && error.failure.kind === "refused")
      throw createPairingError(
        `the bot cannot write to chat ${place} (${error.failure.reason})`,
        "Let it write there, then begin again.",
      );
    throw explainError(error);
  }
}

const TOPICS_ADVICE =
  "Each session gets a topic of its own here if you make the bot an administrator who may manage topics. Without that, everything comes to the General topic.";

const chat = v.object({ is_forum: v.optional(v.boolean(), false), title: v.optional(v.string(), "") });

/** Private chats have positive ids. */
async function fetchGroup(api: BotApi, chatId: number): Promise<v.InferOutput<typeof chat> | null> {
  if (chatId > 0) return null;
  const found = v.safeParse(chat, await api.call("getChat", { chat_id: chatId }, { limitMs: CHECK_MS }));
  return found.success ? found.output : null;
}

export async function describeGroup(
  config: TelegramConfig,
  place: string,
  clock: Clock,
): Promise<GroupFacts | null> {
  const api = createApi(config, clock);
  const chatId = Number(place);
  try {
    const group = await fetchGroup(api, chatId);
    if (group === null) return null;
    const count: unknown = await api.call("getChatMemberCount", { chat_id: chatId }, { limitMs: CHECK_MS });
    return { title: group.title, members: typeof count === "number" ? count : null };
  } catch (error) {
    if (error instanceof TelegramCallError) return null;
    throw error;
  }
}

function createPairingError(message: string, hint: string): AtlasBridgeError {
  return new AtlasBridgeError("ATB_PAIRING_FAILED", message, { hint });
}
