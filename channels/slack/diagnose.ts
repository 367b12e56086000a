/** The check of `atlasbridge doctor` while no hub is running: whether both tokens are valid and have the required scopes. */
import { AtlasBridgeError, type ChannelFinding, type Clock } from "../../src/sdk/channel.js";
import type { SlackConfig } from "./config.js";
import { checkTokens } from "./pairing.js";

/** A connection is requested but not opened, so no other program loses an answer. */
export async function diagnose(config: SlackConfig, clock: Clock, limitMs: number): Promise<ChannelFinding> {
  try {
    const { account } = await checkTokens(config, clock, limitMs);
    return { state: "ok", found: `${account} answers`, action: null };
  } catch (error) {
    if (!(error instanceof AtlasBridgeError)) throw error;
    return { state: "fail", found: error.message, action: error.hint };
  }
}
