import { statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { AtlasBridgeError } from "../model/errors.js";

/** Errors: ATB_TOOL_START_FAILED where somebody has removed it: our paths, and most tools, would make no sense there. */
export function currentFolder(): string {
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
  /** Where it has no name that can be used: what is known of one. For people then, and for nothing else. */
  readonly path: string;
  /** Why a program can only be started there by inheriting it from us; null where its name leads there. */
  readonly nameless: string | null;
}

/** As `startFolder`, but what nobody can name is no error where it is ours: a tool runs there as its shell does. */
export function runFolder(wanted: string | undefined): Folder {
  if (wanted !== undefined) return { path: startFolder(wanted), nameless: null };
  try {
    const path = process.cwd();
    if (isHere(path)) return { path, nameless: null };
    return { path, nameless: "the current directory has a name that is no UTF-8" };
  } catch {
    return { path: "(removed)", nameless: "the current directory was removed" };
  }
}

function isHere(path: string): boolean {
  const [named, here] = [statSync(path, { throwIfNoEntry: false }), statSync(".")];
  return named?.ino === here.ino && named.dev === here.dev;
}

/** The folder that `--cwd` names, absolute; none: ours. Errors: those of `currentFolder`. */
export function startFolder(wanted: string | undefined): string {
  if (wanted === undefined) return currentFolder();
  return isAbsolute(wanted) ? wanted : resolve(currentFolder(), wanted);
}
