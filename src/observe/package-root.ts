/** Locates the package's data files, from source and from the bundle. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { assertInvariant } from "../model/errors.js";

/** Searched upwards for package.json: the bundle has its own. */
export function findPackageRoot(): string {
  return (found ??= searchUpwards());
}

let found: string | undefined;

function searchUpwards(): string {
  let folder = import.meta.dirname;
  while (!["package.json", "adapters"].every((name) => existsSync(join(folder, name)))) {
    assertInvariant(dirname(folder) !== folder, "the package has no package.json above its code");
    folder = dirname(folder);
  }
  return folder;
}

export function findBuiltProgram(name: string): string {
  return join(findPackageRoot(), "dist", name);
}

export function getProgramVersion(): string {
  const { version } = JSON.parse(readFileSync(join(findPackageRoot(), "package.json"), "utf8")) as {
    version: string;
  };
  return version;
}
