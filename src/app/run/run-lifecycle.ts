/** What every run does before and behind its tool, however that is driven. */
import { lstatSync } from "node:fs";
import { loadConfig, parseConfig } from "../../config/load.js";
import type { Paths } from "../../config/paths.js";
import { ensureHubDirectories } from "../../config/private-files.js";
import type { Config } from "../../config/schema.js";
import { AtlasBridgeError } from "../../model/errors.js";
import type { TerminalExit } from "../../worker/process/terminal.js";
import { channelSchemas } from "../../plugins/channels/channel-schemas.js";
import type { SessionLink } from "./relay/connect-session.js";

/** How long the hub may take to hear that the session ended; it finds out by itself if it does not. */
const GOODBYE_MS = 1500;

/** A broken configuration must not keep the tool from starting; it is said, and nothing is relayed. */
export function readConfig(paths: Paths): { config: Config; problem: string | null } {
  const { config: file } = paths;
  try {
    const config = loadConfig({ file, channels: channelSchemas, env: process.env, secrets: "leave" });
    return { config, problem: null };
  } catch (error) {
    if (!(error instanceof AtlasBridgeError)) throw error;
    return { config: parseConfig("", file, channelSchemas), problem: error.message };
  }
}

/** What else a broken configuration changes: what it sets for the tool, its limits above all, does not hold. Null: nothing is broken. */
export function settingsLine(broken: string | null, isRelayed: boolean): string | null {
  if (broken === null) return null;
  return isRelayed
    ? "atlasbridge: what else it sets does not hold either: the defaults do"
    : `atlasbridge: the configuration cannot be used, and the defaults hold: ${broken}`;
}

/** What can be seen at once of what would keep the hub from serving; the rest is said once the tool has ended. */
export function placeProblem(paths: Paths): string | null {
  try {
    ensureHubDirectories(paths);
    const found = lstatSync(paths.socket, { throwIfNoEntry: false });
    return found && !found.isSocket() ? `${paths.socket} is no socket` : null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

export async function sayGoodbye(link: SessionLink | null, exit: TerminalExit): Promise<void> {
  if (!link) return;
  let timer: NodeJS.Timeout | undefined;
  // Keeps the process: without a hub nothing else would, and it would end before the tool's exit code is ours.
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, GOODBYE_MS)));
  await Promise.race([link.end(exit), late]);
  clearTimeout(timer);
}
