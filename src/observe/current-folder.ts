import { isAbsolute, resolve } from "node:path";
import { AtlasBridgeError } from "../model/errors.js";

/** Errors: ATB_TOOL_START_FAILED where somebody has removed it: our paths, and most tools, would make no sense there. */
export function currentFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new AtlasBridgeError("ATB_TOOL_START_FAILED", "the current directory was removed", {
      hint: "Change to one that is there.",
      cause,
    });
  }
}

/** The folder that `--cwd` names, absolute; none: ours. Errors: those of `currentFolder`. */
export function startFolder(wanted: string | undefined): string {
  if (wanted === undefined) return currentFolder();
  return isAbsolute(wanted) ? wanted : resolve(currentFolder(), wanted);
}
