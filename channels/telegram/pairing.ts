/** The checks of `channel add telegram` before anything is written: whether the token is valid, and whose it is. */
import * as v from "valibot";
import { AtlasBridgeError, type Clock, type PairingAccount } from "../../src/sdk/channel.js";
import { BotApi } from "./bot-api/api.js";
import { parseBotId, normaliseApiRoot, type TelegramConfig } from "./config.js";
import { TelegramCallError, createInvalidReplyError } from "./bot-api/failure.js";

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
    const invite = (code: string): string => `Send this code to ${account}:  ${code}`;
    return { botId: id, username, account, invite, link: (code) => buildLink(username, code) };
  } catch (error) {
    throw explainError(error);
  }
}

/** Connects to nothing yet. Errors: AtlasBridgeError ATB_PAIRING_FAILED. */
export function createApi(config: TelegramConfig, clock: Clock): BotApi {
  const root = normaliseApiRoot(config.api_root);
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

const TOKEN_HINT = "Copy the token from @BotFather (https://t.me/BotFather, /newbot or /token).";

function buildLink(username: string, code: string): string {
  return `https://t.me/${username}?start=${encodeURIComponent(code)}`;
}

/** Explains a failed call to people; any other error is returned unchanged. */
export function explainError(error: unknown): unknown {
  if (!(error instanceof TelegramCallError)) return error;
  const { kind, reason } = error.failure;
  if (kind === "unauthorized")
    return createPairingError(`Telegram does not know this token (${reason})`, TOKEN_HINT);
  return createPairingError(`Telegram is unreachable: ${reason}`, "Check the network and try again.");
}

function createPairingError(message: string, hint: string): AtlasBridgeError {
  return new AtlasBridgeError("ATB_PAIRING_FAILED", message, { hint });
}
