/** Reads the configuration's text, as little as a start needs of it. */
import { readFileSync, statSync } from "node:fs";
import { AtlasBridgeError } from "../../model/errors.js";
import { findDeniedError } from "../file-errors.js";

/** Empty if there is no file. Errors: ATB_CONFIG_INVALID, ATB_FILE_DENIED. */
export function readConfigSource(file: string): string {
  try {
    // Reading a pipe would block, and the tool with it.
    if (!statSync(file).isFile()) throw createReadError(file, "is not a regular file");
    return readFileSync(file, "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw cause instanceof AtlasBridgeError
      ? cause
      : (findDeniedError(file) ?? createReadError(file, "cannot be read", cause));
  }
}

function createReadError(file: string, problem: string, cause?: unknown): AtlasBridgeError {
  return new AtlasBridgeError("ATB_CONFIG_INVALID", `${file}: ${problem}`, {
    hint: "Check the file's type and permissions.",
    cause,
  });
}
