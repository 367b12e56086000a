/** Reads the configuration file: validated, with secrets resolved, frozen. */
import { readFileSync, statSync } from "node:fs";
import type * as v from "valibot";
import { AtlasBridgeError } from "../model/errors.js";
import { findDeniedError } from "./file-errors.js";
import { buildConfigSchema, type Config } from "./schema.js";
import { resolveSecrets } from "./secrets.js";
import { parseYaml } from "./yaml-file.js";

export interface LoadOptions {
  readonly file: string;
  readonly channels: Readonly<Record<string, v.GenericSchema>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A worker only needs to know where notices go and does not read secrets. */
  readonly secrets: "resolve" | "leave";
}

/** A missing file gives the default configuration. Errors: ATB_CONFIG_INVALID, ATB_CONFIG_SECRET_MISSING, ATB_FILE_DENIED. */
export function loadConfig(options: LoadOptions): Config {
  const checked = parseConfig(readOrEmpty(options.file), options.file, options.channels);
  const value = options.secrets === "resolve" ? resolveSecrets(checked, options) : checked;
  return deepFreeze(value) as Config;
}

/** Validates a text without resolving secrets. Errors: ATB_CONFIG_INVALID. */
export function parseConfig(text: string, file: string, channels: LoadOptions["channels"]): Config {
  const config: Config = parseYaml(text, file, buildConfigSchema(channels), "ATB_CONFIG_INVALID");
  refuseDuplicateIdentities(config.people, file);
  return config;
}

function readOrEmpty(file: string): string {
  try {
    // Reading a pipe would block, and the tool with it.
    if (!statSync(file).isFile()) throw createReadError(file, "is not a regular file");
    return readFileSync(file, "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw cause instanceof AtlasBridgeError
      ? cause
      : (findDeniedError(file) ?? createReadError(file, "cannot be read", cause));
  }
}

function createReadError(file: string, problem: string, cause?: unknown): AtlasBridgeError {
  return new AtlasBridgeError("ATB_CONFIG_INVALID", `${file}: ${problem}`, {
    hint: "Check the file's type and permissions.",
    cause,
  });
}

/** One identity belongs to one person, otherwise its role would be ambiguous. */
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

function deepFreeze(value: unknown): unknown {
  if (value && typeof value === "object") {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}
