/** Reads the one configuration file: checked, secrets filled in, frozen (design §9). */
import { readFileSync } from "node:fs";
import type * as v from "valibot";
import { AtlasBridgeError } from "../model/errors.js";
import { configSchema, type Config } from "./schema.js";
import { resolveSecrets } from "./secrets.js";
import { parseYaml } from "./yaml-file.js";

export interface LoadOptions {
  readonly file: string;
  readonly channels: Readonly<Record<string, v.GenericSchema>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A worker only needs to know where notices go; it leaves the secrets unread. */
  readonly secrets: "resolve" | "leave";
}

/** A missing file is the default configuration. Errors: ATB_CONFIG_INVALID, ATB_CONFIG_SECRET_MISSING. */
export function loadConfig(options: LoadOptions): Config {
  const checked = parseConfig(readOrEmpty(options.file), options.file, options.channels);
  const value = options.secrets === "resolve" ? resolveSecrets(checked, options) : checked;
  return deepFreeze(value) as Config;
}

/** Checks a text without resolving secrets. Errors: ATB_CONFIG_INVALID. */
export function parseConfig(text: string, file: string, channels: LoadOptions["channels"]): Config {
  return parseYaml(text, file, configSchema(channels), "ATB_CONFIG_INVALID");
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw new AtlasBridgeError("ATB_CONFIG_INVALID", `${file}: cannot be read`, {
      hint: "Check its permissions.",
      cause,
    });
  }
}

function deepFreeze(value: unknown): unknown {
  if (value && typeof value === "object") {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}
