/** The checks of `channel add slack` before anything is written: whether both tokens are valid, their scopes, and their owner. */
import { webApi } from "@slack/bolt";
import { AtlasBridgeError, type Clock, type PairingAccount } from "../../src/sdk/channel.js";
import { buildClientOptions, SILENT, SlackApi, type SlackReply } from "./web-api/api.js";
import { findTokenProblem, type SlackConfig } from "./config.js";
import { normaliseAddress } from "../../src/sdk/service/endpoint.js";
import { SlackCallError, toFailure, isRefusedWith } from "./web-api/failure.js";
import { TIMING } from "./limits.js";
import { toPlainSpan, buildRichText, buildSection } from "./cards/rich.js";
import { renderManifest, listMissingScopes } from "./web-api/scopes.js";
import { fetchAppIdentity, type AppIdentity } from "./web-api/who.js";

/** A person waits at the terminal for this. */
const CHECK_MS = 15_000;

const APPS = "https://api.slack.com/apps";

export const PREPARATION = [
  `1. Open ${APPS}?new_app=1, choose "From a manifest" and your workspace, and paste this:`,
  "",
  renderManifest(),
  "",
  "2. Basic Information, App-Level Tokens: generate one with the scope connections:write (xapp-…).",
  "3. Install App: install it to the workspace and copy the Bot User OAuth Token (xoxb-…).",
].join("\n");

/** Errors: AtlasBridgeError ATB_PAIRING_FAILED. */
export async function checkTokens(
  config: SlackConfig,
  clock: Clock,
  limitMs = CHECK_MS,
): Promise<PairingAccount> {
  const api = createApi(config, clock, limitMs);
  const { team, teamName, botName } = await checkBot(api);
  await checkApp(api, config, limitMs);
  const where = teamName || team;
  return {
    account: `${botName || "the app"} in ${where}`,
    invite: (code) =>
      [
        `In Slack (${where}), write this where prompts should go, in the app's own messages or in a channel that it was invited to:`,
        `    /atlasbridge ${code}`,
      ].join("\n"),
    link: () => null,
  };
}

/** Posts a greeting where prompts will go. Errors: AtlasBridgeError ATB_PAIRING_FAILED. */
export async function greet(config: SlackConfig, place: string, text: string, clock: Clock): Promise<void> {
  const blocks = buildRichText([buildSection([toPlainSpan(text)])]);
  let reply: SlackReply;
  try {
    reply = await createApi(config, clock, CHECK_MS).call("chat.postMessage", {
      channel: place,
      text,
      blocks,
    });
  } catch (error) {
    if (isRefusedWith(error, "not_in_channel", "channel_not_found"))
      throw createPairingError(`the app cannot write to the conversation ${place}`, INVITE_HINT);
    throw explainError(error, "Slack refused a message to that conversation");
  }
  if (isOfOtherApp(config, reply))
    throw createPairingError(
      "the two tokens belong to different apps",
      `Copy both from the same app at ${APPS}.`,
    );
}

const INVITE_HINT =
  "Invite it there (/invite @AtlasBridge), or write the code in the app's own messages; then begin again.";

/** Otherwise one app would post cards and the other receive the taps. An app-level token names its app. */
function isOfOtherApp({ app_token: token }: SlackConfig, { message }: SlackReply): boolean {
  const named = /^xapp-\d{1,4}-(A[A-Z0-9]{2,20})-/.exec(token)?.[1];
  const posted =
    message !== null && typeof message === "object" && "app_id" in message ? message.app_id : null;
  return named !== undefined && typeof posted === "string" && posted !== named;
}

async function checkBot(api: SlackApi): Promise<AppIdentity> {
  let who: AppIdentity;
  try {
    who = await fetchAppIdentity(api);
  } catch (error) {
    throw explainError(error, "Slack does not accept the bot token (xoxb-)");
  }
  const missing = who.scopes === null ? [] : listMissingScopes(who.scopes);
  if (missing.length === 0) return who;
  throw createPairingError(
    `the bot token lacks the ${missing.length === 1 ? "scope" : "scopes"} ${missing.join(", ")}`,
    `Add what is missing at ${APPS} (OAuth & Permissions, Bot Token Scopes), install the app again, and begin again.`,
  );
}

/** Requesting a connection without opening it is the only test of the token's scope and of Socket Mode. */
async function checkApp(
  { http, apiUrl }: SlackApi,
  { app_token: token }: SlackConfig,
  limitMs: number,
): Promise<void> {
  const client = new webApi.WebClient(token, {
    ...buildClientOptions(http, apiUrl, limitMs),
    logger: SILENT,
  });
  try {
    await client.apps.connections.open({});
  } catch (error) {
    const failure = toFailure(error);
    if (failure.reason.startsWith("missing_scope")) {
      throw createPairingError(
        "the app-level token lacks the scope connections:write",
        `Generate a new one with that scope at ${APPS} (Basic Information, App-Level Tokens).`,
      );
    }
    const refused = new SlackCallError("apps.connections.open", failure);
    throw explainError(refused, "Slack does not accept the app-level token (xapp-)");
  }
}

function createApi(config: SlackConfig, clock: Clock, limitMs: number): SlackApi {
  const problem = findTokenProblem(config);
  if (problem !== null) throw createPairingError(problem, `Copy both from ${APPS}.`);
  const apiUrl = normaliseAddress(config.api_url);
  if (apiUrl === null) throw createPairingError("channels.slack.api_url is not an http(s) URL", "Omit it.");
  const timing = { ...TIMING, callMs: limitMs };
  return new SlackApi(config.bot_token, apiUrl, { clock, timing }, () => undefined);
}

/** `refusal`: the meaning of a refusal by the service. */
function explainError(error: unknown, refusal: string): unknown {
  if (!(error instanceof SlackCallError)) return error;
  const { kind, reason } = error.failure;
  if (kind !== "unauthorized" && kind !== "refused")
    return new AtlasBridgeError("ATB_CHANNEL_UNREACHABLE", `Slack is unreachable: ${reason}`, {
      hint: "Check the network and try again.",
    });
  const hint = `Copy it again from ${APPS}; the app must be made from the manifest, with Socket Mode on.`;
  return createPairingError(`${refusal}: ${reason}`, hint);
}

function createPairingError(message: string, hint: string): AtlasBridgeError {
  return new AtlasBridgeError("ATB_PAIRING_FAILED", message, { hint });
}
