import { parseConfig } from "../../config/load.js";
import type { Config } from "../../config/schema.js";
import { deepFreeze } from "../../config/stored/deep-freeze.js";
import { channelSchemas } from "./channel-schemas.js";

/** Leaves references to secrets unresolved. Errors: ATB_CONFIG_INVALID. */
export function checkConfig(text: string, file: string): Config {
  return deepFreeze(parseConfig(text, file, channelSchemas)) as Config;
}
