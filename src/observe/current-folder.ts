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
