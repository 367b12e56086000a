/** Predicts before a run why no hub could serve it. Every start of a tool loads this: it needs no parser and no schema. */
import { lstatSync } from "node:fs";
import type { Paths } from "../../config/paths.js";
import { ensureHubDirectories, listHubSockets } from "../../config/private-files.js";
import type { Config } from "../../config/schema.js";
import { findMissingSecret } from "../../config/secrets.js";
import { dial } from "../../wire/dial.js";

/** Detects at once what would prevent the hub from serving; the rest is reported after the tool's exit. */
export function findPlaceProblem(paths: Paths): string | null {
  try {
    ensureHubDirectories(paths);
    const found = lstatSync(paths.socket, { throwIfNoEntry: false });
    return found && !found.isSocket() ? `${paths.socket} is not a socket` : null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** What this valid configuration lacks for a hub; null unless a hub would have to be started: a running one may have other variables. */
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
