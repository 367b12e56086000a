/** Checks a configuration with the schemas of all channels. */
import { parseConfig } from "../../config/load.js";
import type { Config } from "../../config/schema.js";
import { deepFreeze } from "../../config/stored/deep-freeze.js";
import { channelSchemas } from "./channel-schemas.js";

/** `text`, the content of `file`, without the secrets it refers to; frozen. Errors: ATB_CONFIG_INVALID. */
export function checkConfig(text: string, file: string): Config {
  return deepFreeze(parseConfig(text, file, channelSchemas)) as Config;
}
