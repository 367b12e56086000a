/** Reads the text of a policy file. */
import { readFileSync, statSync } from "node:fs";
import { createFileError } from "../config/file-errors.js";
import { AtlasBridgeError } from "../model/errors.js";

/** Null if there is no such file. Errors: ATB_CONFIG_INVALID if it is no file; ATB_FILE_DENIED. */
export function readPolicyText(file: string): string | null {
  try {
    if (!statSync(file).isFile())
      throw new AtlasBridgeError("ATB_CONFIG_INVALID", `${file}: is not a regular file`);
    return readFileSync(file, "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw createFileError(cause, file, "cannot be read");
  }
}
