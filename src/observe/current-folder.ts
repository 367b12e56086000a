import { statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { AtlasBridgeError } from "../model/errors.js";

/** Errors: ATB_TOOL_START_FAILED if the directory was removed. */
export function getCurrentFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new AtlasBridgeError("ATB_TOOL_START_FAILED", "the current directory was removed", {
      hint: "Change to a directory that exists (cd).",
      cause,
    });
  }
}

export interface Folder {
  /** The best known name, for people, if it has none. */
  readonly path: string;
  /** Why a program can start there only by inheriting it; null if its name works. */
  readonly nameless: string | null;
}

/** Like `resolveStartFolder`, but our directory may have lost its name. */
export function resolveRunFolder(wanted: string | undefined): Folder {
  if (wanted !== undefined) return { path: resolveStartFolder(wanted), nameless: null };
  try {
    const path = process.cwd();
    if (isHere(path)) return { path, nameless: null };
    return { path, nameless: "the current directory's name is not UTF-8" };
  } catch {
    return { path: "(removed)", nameless: "the current directory was removed" };
  }
}

function isHere(path: string): boolean {
  const [named, here] = [statSync(path, { throwIfNoEntry: false }), statSync(".")];
  return named?.ino === here.ino && named.dev === here.dev;
}

/** The folder of `--cwd`, otherwise ours. Errors: those of `getCurrentFolder`. */
export function resolveStartFolder(wanted: string | undefined): string {
  if (wanted === undefined) return getCurrentFolder();
  return isAbsolute(wanted) ? wanted : resolve(getCurrentFolder(), wanted);
}
