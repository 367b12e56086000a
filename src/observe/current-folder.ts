import { statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { AtlasBridgeError } from "../model/errors.js";

/** Errors: ATB_TOOL_START_FAILED if the directory was removed: our paths, and most tools, would not work there. */
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
  /** If it has no usable name: the best known one, for people only. */
  readonly path: string;
  /** Why a program can only be started there by inheriting it from us; null if its name works. */
  readonly nameless: string | null;
}

/** Like `resolveStartFolder`, but our own directory without a usable name is no error: a tool runs there as its shell does. */
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

/** The absolute folder of `--cwd`; without it, ours. Errors: those of `getCurrentFolder`. */
export function resolveStartFolder(wanted: string | undefined): string {
  if (wanted === undefined) return getCurrentFolder();
  return isAbsolute(wanted) ? wanted : resolve(getCurrentFolder(), wanted);
}
