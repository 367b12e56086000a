/** Which channels the next hub will keep closed, because nobody has confirmed the address that their token would go to. */
import { loadConfig } from "../config/load.js";
import { resolvePaths, type Paths } from "../config/paths.js";
import { AtlasBridgeError } from "../model/errors.js";
import { channelSchemas } from "../plugins/channels/channel-schemas.js";
import {
  buildConfirmation,
  CONFIRMED_KEY,
  describeHowToConfirm,
  describeUnconfirmed,
  findForeignEndpoint,
} from "../plugins/channels/endpoints.js";

export interface UnconfirmedChannel {
  readonly channel: string;
  readonly reason: string;
  readonly action: string;
}

/** For when no hub runs, which would know. Empty where the configuration cannot be read: that is said elsewhere. */
export async function listUnconfirmedChannels(paths: Paths = resolvePaths()): Promise<UnconfirmedChannel[]> {
  const settings = readChannels(paths);
  const found = await Promise.all(
    Object.entries(settings).map(async ([channel, config]): Promise<UnconfirmedChannel[]> => {
      const endpoint = findForeignEndpoint(channel, config);
      if (endpoint === null || (await isConfirmed(paths, channel, buildConfirmation(endpoint)))) return [];
      return [
        { channel, reason: describeUnconfirmed(endpoint.address), action: describeHowToConfirm(channel) },
      ];
    }),
  );
  return found.flat();
}

/** The ledger's entry for exactly these tokens. A ledger that cannot be read confirms no address. */
async function isConfirmed(paths: Paths, channel: string, confirmation: string): Promise<boolean> {
  try {
    return (await readConfirmed(paths, channel)) === confirmation;
  } catch (error) {
    if (error instanceof AtlasBridgeError) return false;
    throw error;
  }
}

export async function readConfirmed({ database }: Paths, channel: string): Promise<string | null> {
  const { readSetting } = await import("../hub/store/read-store.js");
  return readSetting(database, channel, CONFIRMED_KEY);
}

function readChannels({ config: file }: Paths): Readonly<Record<string, unknown>> {
  try {
    return loadConfig({ file, env: process.env, channels: channelSchemas, secrets: "resolve" }).channels;
  } catch (error) {
    if (error instanceof AtlasBridgeError) return {};
    throw error;
  }
}
