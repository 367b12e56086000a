/** The trusted keys: those that the package ships, and those of the configuration. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { loadConfig } from "../config/load.js";
import type { TrustedKeyEntry } from "../config/schema.js";
import { parseYaml } from "../config/yaml-file.js";
import { AtlasBridgeError } from "../model/errors.js";
import { findPackageRoot } from "../observe/package-root.js";
import { channelSchemas } from "../plugins/channels/channel-schemas.js";
import { parsePublicKey, type TrustedKey } from "./signing.js";

const keyFile = v.strictObject({
  /** JSON has no comments. */
  about: v.optional(v.string()),
  keys: v.array(v.strictObject({ name: v.string(), key: v.string() })),
  revoked: v.array(v.string()),
});

/** The package's own file. */
export function getShippedKeyFile(): string {
  return join(findPackageRoot(), "adapters", "keys", "trusted.json");
}

export interface KeyPlaces {
  readonly shipped: string;
  /** The configuration file. */
  readonly config: string;
}

/** A revoked key counts nowhere. Errors: ATB_CONFIG_INVALID, ATB_FILE_DENIED. */
export function loadTrustedKeys({ shipped, config: file }: KeyPlaces): readonly TrustedKey[] {
  const { keys, revoked } = parseYaml(readFileSync(shipped, "utf8"), shipped, keyFile, "ATB_CONFIG_INVALID");
  const config = loadConfig({ file, channels: channelSchemas, env: process.env, secrets: "leave" });
  const all = [...readKeys(keys, shipped), ...readKeys(config.adapters.trusted_keys, file)];
  return all.filter(({ id }) => !revoked.includes(id));
}

function readKeys(entries: readonly TrustedKeyEntry[], file: string): readonly TrustedKey[] {
  return entries.map(({ name, key: text }) => {
    const key = parsePublicKey(name, text);
    if (key !== null) return key;
    throw new AtlasBridgeError("ATB_CONFIG_INVALID", `${file}: the key of ${name} is no Ed25519 public key`, {
      hint: "Write it as `atlasbridge adapter keygen` prints it: ed25519:…",
    });
  });
}
