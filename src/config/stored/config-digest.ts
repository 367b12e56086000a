/** Tells apart what the files of configuration and rules say now from what a hub read from them. */
import { createHash } from "node:crypto";
import { parse } from "yaml";
import type { Paths } from "../paths.js";
import { readConfigSource } from "./config-text.js";

/** The same for every version of this program; comments do not count. Errors: those of `readConfigSource`. */
export function readConfigDigest({ config, policy }: Pick<Paths, "config" | "policy">): string {
  const parts = [config, policy].map((file) => normalize(readConfigSource(file)));
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/** A text that is no YAML is in use nowhere, so it only has to differ. */
function normalize(text: string): unknown {
  try {
    return parse(text) as unknown;
  } catch {
    return text;
  }
}
