/** What `atlasbridge doctor` learns from Slack while no hub runs: are both tokens good, and may they do what is needed. */
import { AtlasBridgeError, type ChannelFinding, type Clock } from "../../src/sdk/channel.js";
import type { SlackConfig } from "./config.js";
import { checkTokens } from "./pairing.js";

/** A connection is asked for and not opened: nobody's answers are taken away. */
export async function diagnose(config: SlackConfig, clock: Clock, limitMs: number): Promise<ChannelFinding> {
  try {
    const { account } = await checkTokens(config, clock, limitMs);
    return { state: "ok", found: `${account} answers`, action: null };
  } catch (error) {
    if (!(error instanceof AtlasBridgeError)) throw error;
    return { state: "fail", found: error.message, action: error.hint };
  }
}
