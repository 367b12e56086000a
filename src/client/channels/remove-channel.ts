import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { readChannelSettings, readConfigText } from "../../config/edit.js";
import { removeChannelFrom } from "../../config/edit-people.js";
import { resolvePaths } from "../../config/paths.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { applyConfig } from "../apply-config.js";
import { loadPairing } from "./load-pairing.js";

export interface RemovedChannel {
  readonly people: readonly string[];
  readonly files: readonly string[];
  /** What to remove at the service itself. */
  readonly advice: string;
}

/** Errors: ATB_CHANNEL_UNKNOWN; ATB_CONFIG_INVALID if a route still names its chats or people. */
export async function removeChannel(channel: string): Promise<RemovedChannel> {
  const paths = resolvePaths();
  const { secrets, afterRemoval = "The service itself was not changed." } = await loadPairing(channel);
  const before = readConfigText(paths.config);
  const settings = readChannelSettings(before, channel);
  if (Object.keys(settings).length === 0)
    throw new AtlasBridgeError("ATB_CHANNEL_UNKNOWN", `"${channel}" is not in ${paths.config}`, {
      hint: "`atlasbridge channel list` shows what is.",
    });
  const { text, people } = removeChannelFrom(before, channel);
  const files = secrets.flatMap(({ key }) =>
    // Only files that a pairing has written.
    settings[key] === `file:${channel}.${key}` ? [join(dirname(paths.config), `${channel}.${key}`)] : [],
  );
  await applyConfig(paths, text, () => files.forEach((file) => rmSync(file, { force: true })));
  return { people, files, advice: afterRemoval };
}
