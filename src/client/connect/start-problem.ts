/** Checks before a run whether a hub could serve it. Loaded at every start of a tool, so without parser and schema. */
import { lstatSync } from "node:fs";
import type { Paths } from "../../config/paths.js";
import { ensureHubDirectories, listHubSockets } from "../../config/private-files.js";
import type { Config } from "../../config/schema.js";
import { findMissingSecret } from "../../config/secrets.js";
import { dial } from "../../wire/dial.js";

export function findPlaceProblem(paths: Paths): string | null {
  try {
    ensureHubDirectories(paths);
    const found = lstatSync(paths.socket, { throwIfNoEntry: false });
    return found && !found.isSocket() ? `${paths.socket} is not a socket` : null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The missing secret; null if a hub is running, because its variables may differ. */
export async function findStartProblem(paths: Paths, config: Config): Promise<string | null> {
  const { config: file } = paths;
  const missing = findMissingSecret(config, { file, env: process.env });
  return missing === null || (await isHubRunning(paths)) ? null : `${file} ${missing}`;
}

async function isHubRunning(paths: Paths): Promise<boolean> {
  try {
    for (const place of listHubSockets(paths)) {
      const socket = await dial(place).catch(() => null);
      socket?.destroy();
      if (socket) return true;
    }
    return false;
  } catch {
    return false; // What is wrong with its place is said by others.
  }
}
