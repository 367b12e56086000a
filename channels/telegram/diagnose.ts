/**
 * The check of `atlasbridge doctor` while no hub is running: whether the token is valid, and whether another program takes its
 * updates.
 */
import { AtlasBridgeError, type ChannelFinding, type Clock } from "../../src/sdk/channel.js";
import type { TelegramConfig } from "./config.js";
import { TelegramCallError, isWebhookConflict, type TelegramFailure } from "./bot-api/failure.js";
import { createApi, checkToken, explainError } from "./pairing.js";
import { CHAT_ADVICE, findRefusedChats } from "./place-check.js";

const CHAT_ACTION = `${CHAT_ADVICE.charAt(0).toUpperCase()}${CHAT_ADVICE.slice(1)}.`;

/** A poller that ours displaces returns within a second or two and displaces ours, which reveals it. */
const LISTEN_SECONDS = 2;

export async function diagnose(
  config: TelegramConfig,
  clock: Clock,
  limitMs: number,
): Promise<ChannelFinding> {
  try {
    const { account } = await checkToken(config, clock, limitMs);
    const rival = await findRival(config, clock, limitMs);
    if (rival) return { state: "warn", ...describeRival(account, rival) };
    const refused = await findRefusedChats(createApi(config, clock), config.deliver_to.map(String), limitMs);
    if (refused.length === 0) return { state: "ok", found: `${account} answers`, action: null };
    const chats = refused.map(({ place, reason }) => `chat ${place} refuses messages (${reason})`);
    return { state: "fail", found: `${account} answers, but ${chats.join(", ")}`, action: CHAT_ACTION };
  } catch (error) {
    const explained = explainError(error);
    if (!(explained instanceof AtlasBridgeError)) throw error;
    return { state: "fail", found: explained.message, action: explained.hint };
  }
}

/** The conflict with another program that takes this bot's updates, or null. Without an offset no update counts as received by us. */
async function findRival(
  config: TelegramConfig,
  clock: Clock,
  limitMs: number,
): Promise<TelegramFailure | null> {
  const question = { limit: 1, timeout: LISTEN_SECONDS };
  try {
    await createApi(config, clock).call("getUpdates", question, { limitMs: LISTEN_SECONDS * 1000 + limitMs });
    return null;
  } catch (error) {
    if (error instanceof TelegramCallError && error.failure.kind === "conflict") return error.failure;
    throw error;
  }
}

function describeRival(account: string, rival: TelegramFailure): { found: string; action: string } {
  if (isWebhookConflict(rival))
    return {
      found: `${account} has a webhook, so AtlasBridge receives nothing`,
      action: "The hub removes it when it starts. If it comes back, its program needs a bot of its own.",
    };
  return {
    found: `${account} answers, but another program takes its updates too`,
    action: "Stop the other program (perhaps a hub on another machine), or use a bot of its own here.",
  };
}
