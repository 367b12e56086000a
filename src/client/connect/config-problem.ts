/** Predicts from the configuration why a hub started from here would fail. Reads no secret and starts nothing. */
import { loadConfig } from "../../config/load.js";
import type { Paths } from "../../config/paths.js";
import { listHubSockets } from "../../config/private-files.js";
import { findMissingSecret } from "../../config/secrets.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { dial } from "../../wire/dial.js";
import { channelSchemas } from "../../plugins/channels/channel-schemas.js";

/** Why a hub could not read the configuration; null if no problem is known. */
export function findConfigProblem({ config: file }: Pick<Paths, "config">): string | null {
  try {
    const source = { file, env: process.env };
    const config = loadConfig({ ...source, channels: channelSchemas, secrets: "leave" });
    const missing = findMissingSecret(config, source);
    return missing && `${file} ${missing}`;
  } catch (error) {
    if (error instanceof AtlasBridgeError) return error.message;
    throw error;
  }
}

/** The same before a run, unless a hub is running already: that one may have other environment variables. */
export async function findStartProblem(paths: Paths): Promise<string | null> {
  const problem = findConfigProblem(paths);
  return problem !== null && (await isHubRunning(paths)) ? null : problem;
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
