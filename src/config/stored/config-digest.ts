import { createHash } from "node:crypto";
import { parse } from "yaml";
import type { Paths } from "../paths.js";
import { readConfigSource } from "./config-text.js";

/** A digest of configuration and rules, without comments. Errors: those of `readConfigSource`. */
export function readConfigDigest({ config, policy }: Pick<Paths, "config" | "policy">): string {
  const parts = [config, policy].map((file) => normalize(readConfigSource(file)));
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/** Text that is no YAML only has to differ. */
function normalize(text: string): unknown {
  try {
    return parse(text) as unknown;
  } catch {
    return text;
  }
}
