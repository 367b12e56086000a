import { loadConfig } from "../../config/load.js";
import type { Paths } from "../../config/paths.js";
import { findMissingSecret } from "../../config/secrets.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { channelSchemas } from "../../plugins/channels/channel-schemas.js";

/** Why a hub could not read the configuration, or null. Reads no secret. */
export function findConfigProblem({ config: file }: Pick<Paths, "config">): string | null {
  try {
    const source = { file, env: process.env };
    const config = loadConfig({ ...source, channels: channelSchemas, secrets: "leave" });
    const missing = findMissingSecret(config, source);
    return missing && `${file} ${missing}`;
  } catch (error) {
    if (error instanceof AtlasBridgeError) return error.message;
    throw error;
  }
}
