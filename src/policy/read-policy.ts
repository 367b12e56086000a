import { resolve } from "node:path";
import { resolvePaths } from "../config/paths.js";
import type { CompiledPolicy } from "../hub/policy/compile.js";
import { parsePolicy } from "../hub/policy/load-policy.js";
import { AtlasBridgeError } from "../model/errors.js";
import { readPolicyText } from "./active-policy.js";
import { existsSync, writeFileSync } from "node:fs";
import { createFileError } from "../config/file-errors.js";
import { ensurePrivateDirectory, PRIVATE_FILE_MODE } from "../config/private-files.js";
import { PRESET_TEXTS, type Preset } from "./presets.js";

export interface PolicySource {
  readonly file: string;
  readonly policy: CompiledPolicy;
}

/**
 * `named`: another file than the hub's own. `people`: the names in the configuration, where they are checked. Errors:
 * ATB_CONFIG_INVALID, ATB_FILE_DENIED.
 */
export function readPolicySource(
  named: string | undefined,
  people: readonly string[] | null = null,
): PolicySource {
  const file = named === undefined ? resolvePaths().policy : resolve(named);
  return { file, policy: parsePolicy(readPolicyText(file) ?? throwMissing(file), file, people) };
}

function throwMissing(file: string): never {
  throw new AtlasBridgeError("ATB_CONFIG_INVALID", `${file} does not exist`, {
    hint: "Run `atlasbridge policy init` to write one, or name a file.",
  });
}

/** Returns the file's path. Errors: ATB_FILE_FOREIGN if there is one already; ATB_FILE_DENIED, ATB_SOCKET_UNSAFE. */
export function initPolicy(preset: Preset): string {
  const { policy: file, configDir } = resolvePaths();
  ensurePrivateDirectory(configDir);
  if (existsSync(file))
    throw new AtlasBridgeError("ATB_FILE_FOREIGN", `${file} exists already and was left unchanged`, {
      hint: "Move it away first, or edit it.",
    });
  try {
    writeFileSync(file, PRESET_TEXTS[preset], { mode: PRIVATE_FILE_MODE, flag: "wx" });
  } catch (cause) {
    throw createFileError(cause, file, "cannot be written");
  }
  return file;
}
