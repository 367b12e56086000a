/** Finds out whether a tool is too old for `exec`. Nobody waits for it: a tool takes up to seconds to name its version. */
import type { Paths } from "../../../config/paths.js";
import { findExecutable } from "../../process/executable.js";
import type { Environment } from "../../process/child-environment.js";
import { readKnownVersion } from "./known-versions.js";
import { describeTooOld } from "./min-version.js";
import type { CompiledHeadless } from "../../adapter-format/compiled/compiled-headless.js";

export interface AgeSearch {
  readonly environment: Environment;
  readonly cwd: string;
  readonly paths: Paths;
  /** Ends the question, and leaves no process. */
  readonly signal: AbortSignal;
}

/** Null: it is not, or that is not known. Never rejects. */
export async function findTooOld(
  { driver, executable }: { readonly driver: CompiledHeadless; readonly executable: string },
  { environment, cwd, paths, signal }: AgeSearch,
): Promise<string | null> {
  // A tool without a limit is not started for its version.
  if (driver.minVersion === null) return null;
  try {
    const file = findExecutable(executable, { path: environment["PATH"], cwd });
    const version = await readKnownVersion(file, environment, paths, { signal });
    return version === null ? null : describeTooOld(file, version, driver.minVersion);
  } catch {
    return null;
  }
}
