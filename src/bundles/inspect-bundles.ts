/** The findings of `doctor` on installed bundles: whether they still match their signature, by a key that is still trusted. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Paths } from "../config/paths.js";
import { AtlasBridgeError } from "../model/errors.js";
import {
  fitsProgram,
  getBundleAdapters,
  readInstalledState,
  type InstalledBundle,
} from "../plugins/adapters/installed-bundles.js";
import { openBundle } from "./bundle-file.js";
import { readDocument } from "./bundle-store.js";
import type { TrustedKey } from "./signing.js";
import { getShippedKeyFile, loadTrustedKeys } from "./trusted-keys.js";

export interface InspectedBundle {
  readonly name: string;
  readonly version: number;
  readonly signer: string;
  readonly adapters: readonly string[];
  /** False: its adapters do not count in this version of the program. */
  readonly isUsable: boolean;
  /** Null if it matches its signature. */
  readonly problem: string | null;
}

/** Errors: ATB_BUNDLE_INVALID, ATB_CONFIG_INVALID, ATB_FILE_DENIED. */
export function inspectBundles(
  { bundlesDir, config }: Pick<Paths, "bundlesDir" | "config">,
  shipped = getShippedKeyFile(),
): readonly InspectedBundle[] {
  const { bundles } = readInstalledState(bundlesDir);
  if (bundles.length === 0) return [];
  const trusted = loadTrustedKeys({ shipped, config });
  return bundles.map((bundle) => ({
    name: bundle.name,
    version: bundle.active.version,
    signer: bundle.active.key.name,
    adapters: bundle.active.adapters.map(({ name }) => name),
    isUsable: fitsProgram(bundle.active),
    problem: findProblem(bundle, bundlesDir, trusted),
  }));
}

/** Why the version on disk does not match a signature of a trusted key; null if it does. */
export function findProblem(
  { name, active }: Pick<InstalledBundle, "name" | "active">,
  bundlesDir: string,
  trusted: readonly TrustedKey[],
): string | null {
  try {
    const document = readDocument(bundlesDir, active);
    if (createHash("sha256").update(document).digest("hex") !== active.sha256)
      return "its document is not the one that was installed";
    const folder = getBundleAdapters(bundlesDir, active);
    const changed = openBundle(document, `bundle ${name}`, trusted).contents.adapters.find(
      (adapter) => readFileSync(join(folder, `${adapter.name}.yaml`), "utf8") !== adapter.text,
    );
    return changed ? `its file of ${changed.name} was changed after it was installed` : null;
  } catch (error) {
    if (error instanceof AtlasBridgeError) return error.message;
    return "a file of it is missing or cannot be read";
  }
}
