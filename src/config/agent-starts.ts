/** Which programs agents may start over MCP, and where (`agents.may_start`). */
import { realpathSync } from "node:fs";
import { isAbsolute } from "node:path";
import { attempt } from "../model/data/attempt.js";
import type { AllowedStart } from "./schema.js";

/**
 * The first entry that lists exactly this name or path, for this folder. Folders are compared by their real paths, so that no link
 * leads out of them. Null: it is not allowed.
 */
export function findAllowedStart(
  entries: readonly AllowedStart[],
  program: string,
  folder: string,
): AllowedStart | null {
  const isHere = ({ paths }: AllowedStart): boolean => paths.some((path) => isInFolder(path, folder));
  return entries.find((entry) => entry.programs.includes(program) && isHere(entry)) ?? null;
}

/** By their real paths. False where either does not exist. */
export function isInFolder(folder: string, path: string): boolean {
  const [root, real] = [findRealPath(folder), findRealPath(path)];
  return (
    root !== null && real !== null && (real === root || real.startsWith(root === "/" ? root : `${root}/`))
  );
}

function findRealPath(path: string): string | null {
  return isAbsolute(path) ? attempt(() => realpathSync(path), null) : null;
}

/** For the agent that was refused. */
export function describeAllowedStarts(entries: readonly AllowedStart[]): string {
  if (entries.length === 0) return "no program is allowed";
  const allowed = entries.map(({ programs, paths }) => `${programs.join(", ")} in ${paths.join(", ")}`);
  return `allowed are ${allowed.join("; ")}`;
}
