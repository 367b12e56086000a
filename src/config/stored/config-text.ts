import { readFileSync, statSync } from "node:fs";
import { AtlasBridgeError } from "../../model/errors.js";
import { findDeniedError } from "../file-errors.js";
import type { Paths } from "../paths.js";
import type { Config } from "../schema.js";
import { readStoredConfig, storeConfig } from "./stored-config.js";

/** Empty if there is no file. Errors: ATB_CONFIG_INVALID, ATB_FILE_DENIED. */
export function readConfigSource(file: string): string {
  try {
    // Reading a pipe would block the tool's start.
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

export interface RunConfig {
  readonly config: Config;
  /** Why the file is not used and the defaults apply; or null. */
  readonly problem: string | null;
  readonly store: () => void;
}

/** Errors of the file become `problem`: a broken one must not prevent the tool's start. */
export async function readRunConfig(
  { config: file, checkedConfig: stored }: Pick<Paths, "config" | "checkedConfig">,
  check: (text: string) => Promise<Config>,
): Promise<RunConfig> {
  try {
    const text = readConfigSource(file);
    const known = readStoredConfig(stored, { text });
    if (known !== null) return { config: known, problem: null, store: () => undefined };
    const config = await check(text);
    return { config, problem: null, store: () => storeConfig(stored, { text }, config) };
  } catch (error) {
    if (!(error instanceof AtlasBridgeError)) throw error;
    return { config: await check(""), problem: error.message, store: () => undefined };
  }
}
