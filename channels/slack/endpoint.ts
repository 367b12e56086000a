/** Where an app's tokens go. */
import type { ForeignEndpoint } from "../../src/sdk/channel.js";
import { findForeignEndpoint } from "../../src/sdk/service/endpoint.js";

/** The settings that decide it. */
interface SlackEndpoint {
  readonly api_url: string;
  readonly app_token: string;
  readonly bot_token: string;
}

export const DEFAULT_API_URL = "https://slack.com/api/";

/** Null if the tokens go to Slack itself, or nowhere. */
export function findForeignSlack({ api_url, app_token, bot_token }: SlackEndpoint): ForeignEndpoint | null {
  return findForeignEndpoint(api_url, DEFAULT_API_URL, [app_token, bot_token]);
}
