import { loadConfig } from "../../config/load.js";
import { resolvePaths, type Paths } from "../../config/paths.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { systemClock } from "../../observe/clock.js";
import { channelSchemas } from "../../plugins/channels/channel-schemas.js";
import { createUnconfirmedError, findForeignEndpoint } from "../../plugins/channels/endpoints.js";
import { readPlaces } from "./list-channels.js";
import { loadPairing } from "./load-pairing.js";
import { isAddressConfirmed } from "./trust-channel.js";

export interface ChannelTest {
  readonly account: string;
  readonly places: readonly {
    readonly place: string;
    readonly problem: string | null;
  }[];
}

const MESSAGE = "This is a test message of AtlasBridge, which can post here.";

/** Errors: ATB_CHANNEL_UNKNOWN, ATB_CONFIG_*, ATB_ENDPOINT_UNCONFIRMED, ATB_HUB_*, ATB_PAIRING_FAILED, ATB_CHANNEL_UNREACHABLE. */
export async function testChannel(channel: string): Promise<ChannelTest> {
  const paths = resolvePaths();
  const pairing = await loadPairing(channel);
  const config = readChannel(paths, channel);
  const endpoint = findForeignEndpoint(channel, config);
  if (endpoint !== null && !(await isAddressConfirmed(paths, channel)))
    throw createUnconfirmedError(channel, endpoint.address);
  const { account } = await pairing.check(config, systemClock);
  const places: { place: string; problem: string | null }[] = [];
  for (const place of readPlaces(config)) {
    const problem = await findProblem(async () => pairing.greet?.(config, place, MESSAGE, systemClock));
    places.push({ place, problem });
  }
  return { account, places };
}

function readChannel(paths: Paths, channel: string): never {
  const sources = {
    file: paths.config,
    channels: channelSchemas,
    env: process.env,
    secrets: "resolve",
  } as const;
  const config = loadConfig(sources).channels[channel];
  if (config !== undefined) return config as never;
  throw new AtlasBridgeError("ATB_CHANNEL_UNKNOWN", `"${channel}" is not in ${paths.config}`, {
    hint: `\`atlasbridge setup ${channel}\` adds it.`,
  });
}

async function findProblem(post: () => Promise<void>): Promise<string | null> {
  try {
    await post();
    return null;
  } catch (error) {
    if (error instanceof AtlasBridgeError) return error.message;
    throw error;
  }
}
