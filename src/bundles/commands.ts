/** What the commands for bundles do, in the user's own folders. */
import { resolvePaths } from "../config/paths.js";
import { AtlasBridgeError } from "../model/errors.js";
import { SESSION_MARK } from "../model/session-mark.js";
import { makeBundle, type BundleOptions, type MadeBundle } from "./make-bundle.js";
import {
  rollBack,
  updateAdapters,
  type RollbackResult,
  type UpdateOptions,
  type UpdateResult,
} from "./update.js";

/** Errors: ATB_SUPERVISED, and as `updateAdapters`. */
export function installFrom(options: UpdateOptions): Promise<UpdateResult> {
  if (!options.dryRun) refuseInsideSession();
  return updateAdapters(options, resolvePaths());
}

/** Errors: ATB_SUPERVISED, and as `rollBack`. */
export function goBackTo(name: string | null): RollbackResult {
  refuseInsideSession();
  return rollBack(name, resolvePaths());
}

/** Errors: as `makeBundle`. */
export function bundleAdapters(options: BundleOptions): Promise<MadeBundle> {
  return makeBundle(options, resolvePaths());
}

/** A supervised tool must not choose by which rules it is watched. */
function refuseInsideSession(): void {
  if (!process.env[SESSION_MARK]) return;
  throw new AtlasBridgeError("ATB_SUPERVISED", "adapters cannot be replaced from inside a session", {
    hint: "Use a terminal outside of any session.",
  });
}
