/** An adapter file of the user's that may be run, as after `adapter trust`. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Paths } from "../../src/config/paths.js";
import { agreeTo } from "../../src/plugins/adapters/agreed-files.js";

export function writeOwnAdapter(paths: Paths, name: string, text: string): string {
  const file = join(paths.adaptersDir, `${name}.yaml`);
  mkdirSync(paths.adaptersDir, { recursive: true });
  writeFileSync(file, text);
  agreeTo({ file, text }, paths);
  return file;
}
