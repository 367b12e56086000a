/** `run --relay-required`: the tool does not start unless its questions can reach somebody. */
import { loadConfig } from "../../config/load.js";
import type { Paths } from "../../config/paths.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { channelSchemas } from "../channels/channel-schemas.js";
import { reachHub } from "../hub/client.js";

/** Resolves once a hub serves. Errors: ATB_CONFIG_INVALID, those of `reachHub`; of a hub that cannot start, its own. */
export async function requireRelay(paths: Paths): Promise<void> {
  loadConfig({ file: paths.config, channels: channelSchemas, env: process.env, secrets: "leave" });
  try {
    const hub = await reachHub({ paths });
    hub.close();
  } catch (error) {
    throw error instanceof AtlasBridgeError && error.cause instanceof AtlasBridgeError
      ? new AtlasBridgeError(error.cause.code, error.message, { hint: error.hint, cause: error })
      : error;
  }
}
