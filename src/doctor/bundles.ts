/** Checks whether installed bundles of adapters still match their signatures, and are used. */
import { inspectBundles, type InspectedBundle } from "../bundles/inspect-bundles.js";
import type { Paths } from "../config/paths.js";
import { passCheck, warnCheck, type CheckFinding } from "./check.js";

export function checkBundles(paths: Pick<Paths, "bundlesDir" | "config">): CheckFinding[] {
  return inspectBundles(paths).map(judgeBundle);
}

function judgeBundle({ name, version, signer, adapters, isUsable, problem }: InspectedBundle): CheckFinding {
  const check = `bundle:${name}` as const;
  const rollBack = `atlasbridge adapter update --rollback ${name}`;
  if (problem !== null)
    return warnCheck(check, `version ${version}: ${problem}`, `Install it again, or go back: ${rollBack}`);
  if (!isUsable)
    return warnCheck(
      check,
      `version ${version} was made for other versions of AtlasBridge; its adapters are not used`,
      `Install a later one, or remove it: ${rollBack}`,
    );
  return passCheck(check, `version ${version}, signed by ${signer}: ${adapters.join(", ")}`);
}
