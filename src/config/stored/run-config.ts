/** The configuration of a run: stored by an earlier one, or read and checked. */
import { AtlasBridgeError } from "../../model/errors.js";
import type { Paths } from "../paths.js";
import type { Config } from "../schema.js";
import { readConfigSource } from "./config-text.js";
import { readStoredConfig, storeConfig } from "./stored-config.js";

export interface RunConfig {
  readonly config: Config;
  /** Why the file does not apply, so that these are the defaults; or null. */
  readonly problem: string | null;
  /** Stores it for the next run, once there is a folder for it. */
  readonly store: () => void;
}

/** `check` parses the text. Errors of the file become `problem`: a broken one must not prevent the tool's start. */
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
