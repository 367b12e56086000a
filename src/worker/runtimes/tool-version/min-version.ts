/** Says when an installed tool is older than what `exec` needs of it (the driver spec's `driver_min_version`). Pure. */
import { isInRange } from "../../../model/data/version-range.js";

/** Null: it is new enough, or nothing is known of a limit. */
export function describeTooOld(file: string, version: string, min: string | null): string | null {
  if (min === null || isInRange(version, `>=${min}`)) return null;
  return `${file} is ${version}, too old to run headless (requires ${min} or newer)`;
}
