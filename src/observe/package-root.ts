/** Locates the package's data files, from source and from the bundle. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { invariant } from "../model/errors.js";

/** The folder with package.json, searched upwards from this module (src/app or dist). */
export function findPackageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json"))) {
    invariant(dirname(folder) !== folder, "the package has no package.json above its code");
    folder = dirname(folder);
  }
  return folder;
}

/** A program of ours that runs as its own process: built beside the command, or found from source. */
export function findBuiltProgram(name: string): string {
  return join(findPackageRoot(), "dist", name);
}
