import { loadConfig, parseConfig } from "../../config/load.js";
import type { Paths } from "../../config/paths.js";
import type { Config } from "../../config/schema.js";
import { AtlasBridgeError } from "../../model/errors.js";
import type { TerminalExit } from "../../worker/process/terminal.js";
import { channelSchemas } from "../../plugins/channels/channel-schemas.js";
import type { SessionLink } from "./relay/connect-session.js";

/** The time for the hub to learn that the session ended; otherwise it finds out later. */
const GOODBYE_MS = 1500;

/** A broken configuration must not prevent the tool's start; it is reported, and prompts are not relayed. */
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

/** Warns that defaults replace all settings of a broken configuration. Null: it is not broken. */
export function describeSettings(broken: string | null, isRelayed: boolean): string | null {
  if (broken === null) return null;
  return isRelayed
    ? "atlasbridge: its other settings do not apply either; defaults are used"
    : `atlasbridge: the configuration is invalid, so defaults are used: ${broken}`;
}

export async function sayGoodbye(link: SessionLink | null, exit: TerminalExit): Promise<void> {
  if (!link) return;
  let timer: NodeJS.Timeout | undefined;
  // Keeps the process alive: otherwise it would exit before the tool's exit code is set.
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, GOODBYE_MS)));
  await Promise.race([link.end(exit), late]);
  clearTimeout(timer);
}
