import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findPackageRoot } from "./package-root.js";

/** Version of this program, as its package says. */
export function getProgramVersion(): string {
  const { version } = JSON.parse(readFileSync(join(findPackageRoot(), "package.json"), "utf8")) as {
    version: string;
  };
  return version;
}
