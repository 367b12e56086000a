import type * as v from "valibot";
import { AtlasBridgeError } from "../model/errors.js";
import { buildConfigSchema, type Config } from "./schema.js";
import { resolveSecrets } from "./secrets.js";
import { readConfigSource } from "./stored/config-text.js";
import { deepFreeze } from "./stored/deep-freeze.js";
import { parseYaml } from "./yaml-file.js";

export interface LoadOptions {
  readonly file: string;
  readonly channels: Readonly<Record<string, v.GenericSchema>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Workers read no secrets. */
  readonly secrets: "resolve" | "leave";
}

/** A missing file gives the default configuration. Errors: ATB_CONFIG_INVALID, ATB_CONFIG_SECRET_MISSING, ATB_FILE_DENIED. */
export function loadConfig(options: LoadOptions): Config {
  const checked = parseConfig(readConfigSource(options.file), options.file, options.channels);
  const value = options.secrets === "resolve" ? resolveSecrets(checked, options) : checked;
  return deepFreeze(value) as Config;
}

/** Validates a text without resolving secrets. Errors: ATB_CONFIG_INVALID. */
export function parseConfig(text: string, file: string, channels: LoadOptions["channels"]): Config {
  const config: Config = parseYaml(text, file, buildConfigSchema(channels), "ATB_CONFIG_INVALID");
  refuseDuplicateIdentities(config.people, file);
  return config;
}

/** The role of an identity with two people would be ambiguous. */
function refuseDuplicateIdentities(people: Config["people"], file: string): void {
  const seen = new Map<string, string>();
  for (const { name, identities } of people) {
    for (const identity of identities) {
      const other = seen.get(identity);
      if (other !== undefined) {
        throw new AtlasBridgeError(
          "ATB_CONFIG_INVALID",
          `${file}: "${identity}" is listed for ${other} and for ${name}`,
          {
            hint: "Each identity belongs to one person.",
          },
        );
      }
      seen.set(identity, name);
    }
  }
}
