/** Finds a native addon's binary without Node's own resolution, which takes 2 to 4 ms for each name. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { findPackageRoot } from "./package-root.js";

/** Where Node would find the package's binary. `beside`: in a package of its own. Null for an unknown layout. */
export function findAddonFile(name: string, path: string, beside: string | null = null): string | null {
  for (let folder = findPackageRoot(); ; folder = dirname(folder)) {
    const modules = join(folder, "node_modules");
    if (existsSync(join(modules, name))) {
      const places =
        beside === null
          ? [join(modules, name, path)]
          : [join(modules, name, "node_modules", beside, path), join(modules, beside, path)];
      return places.find((place) => existsSync(place)) ?? null;
    }
    if (dirname(folder) === folder) return null;
  }
}
