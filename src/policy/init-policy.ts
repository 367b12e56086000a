/** `policy init`: writes a preset where the hub looks for it. */
import { existsSync, writeFileSync } from "node:fs";
import { createFileError } from "../config/file-errors.js";
import { resolvePaths } from "../config/paths.js";
import { ensurePrivateDirectory, PRIVATE_FILE_MODE } from "../config/private-files.js";
import { AtlasBridgeError } from "../model/errors.js";
import { PRESET_TEXTS, type Preset } from "./presets.js";

/** Returns the file's path. Errors: ATB_FILE_FOREIGN if there is one already; ATB_FILE_DENIED, ATB_SOCKET_UNSAFE. */
export function initPolicy(preset: Preset): string {
  const { policy: file, configDir } = resolvePaths();
  ensurePrivateDirectory(configDir);
  if (existsSync(file))
    throw new AtlasBridgeError("ATB_FILE_FOREIGN", `${file} exists already and was left unchanged`, {
      hint: "Move it away first, or edit it.",
    });
  try {
    writeFileSync(file, PRESET_TEXTS[preset], { mode: PRIVATE_FILE_MODE, flag: "wx" });
  } catch (cause) {
    throw createFileError(cause, file, "cannot be written");
  }
  return file;
}
