/** Reads policy files for the commands. */
import { resolve } from "node:path";
import { resolvePaths } from "../config/paths.js";
import type { CompiledPolicy } from "../hub/policy/compile.js";
import { parsePolicy } from "../hub/policy/load-policy.js";
import { AtlasBridgeError } from "../model/errors.js";
import { readPolicyText } from "./policy-text.js";

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
