/** The checks of `channel add telegram` before anything is written: whether the token is valid, and whose it is. */
import * as v from "valibot";
import { AtlasBridgeError, type Clock, type PairingAccount } from "../../src/sdk/channel.js";
import { BotApi } from "./bot-api/api.js";
import { botIdOf, normaliseApiRoot, type TelegramConfig } from "./config.js";
import { TelegramCallError, hollowReply } from "./bot-api/failure.js";

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
  const api = apiOf(config, clock);
  try {
    const { id, username } = await askWho(api, limitMs);
    const account = `@${username}`;
    const invite = (code: string): string => `Send this code to ${account}:  ${code}`;
    return { botId: id, username, account, invite, link: (code) => linkOf(username, code) };
  } catch (error) {
    throw explainError(error);
  }
}

/** Connects to nothing yet. Errors: AtlasBridgeError ATB_PAIRING_FAILED. */
export function apiOf(config: TelegramConfig, clock: Clock): BotApi {
  const root = normaliseApiRoot(config.api_root);
  if (root === null) throw failed("channels.telegram.api_root is not an http(s) URL", "Omit it.");
  if (botIdOf(config.token) === null)
    throw failed("this is not a bot token: expected digits, a colon and letters", TOKEN_HINT);
  return new BotApi(config.token, root, clock, () => undefined);
}

/** The service allows letters, digits and underscores. The name is printed and becomes part of a link. */
const bot = v.object({ id: v.number(), username: v.pipe(v.string(), v.regex(/^\w{1,64}$/)) });

async function askWho(api: BotApi, limitMs: number): Promise<v.InferOutput<typeof bot>> {
  const me = v.safeParse(bot, await api.call("getMe", {}, { limitMs }));
  if (!me.success) throw hollowReply("getMe");
  return me.output;
}

const TOKEN_HINT = "Copy the token from @BotFather (https://t.me/BotFather, /newbot or /token).";

function linkOf(username: string, code: string): string {
  return `https://t.me/${username}?start=${encodeURIComponent(code)}`;
}

/** Explains a failed call to people; any other error is returned unchanged. */
export function explainError(error: unknown): unknown {
  if (!(error instanceof TelegramCallError)) return error;
  const { kind, reason } = error.failure;
  if (kind === "unauthorized") return failed(`Telegram does not know this token (${reason})`, TOKEN_HINT);
  return failed(`Telegram is unreachable: ${reason}`, "Check the network and try again.");
}

function failed(message: string, hint: string): AtlasBridgeError {
  return new AtlasBridgeError("ATB_PAIRING_FAILED", message, { hint });
}
