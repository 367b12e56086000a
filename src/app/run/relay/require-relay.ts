/** `--relay-required`: starts the tool only if this session's prompts would reach somebody now. */
import { setTimeout as pause } from "node:timers/promises";
import { loadConfig } from "../../../config/load.js";
import type { Paths } from "../../../config/paths.js";
import { AtlasBridgeError } from "../../../model/errors.js";
import { makeVisible } from "../../../safety/display.js";
import type { ResultOf, HubCalls } from "../../../wire/messages.js";
import { channelSchemas } from "../../../plugins/channels/channel-schemas.js";
import { withHub } from "../../../client/client.js";
import { hasChannels, findRelayTargets } from "./relay-targets.js";

/** A service responds within a second; on a slow line, or while an old connection is still held, within a few. */
const PROVED_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 100;

export interface RelayedSession {
  readonly tool: string;
  readonly label: string | null;
  readonly cwd: string;
}

/**
 * Resolves when a hub is running, its ledger has accepted a commit, and a channel with a chat and an approver for this session is
 * connected. Errors: ATB_CONFIG_INVALID, ATB_CONFIG_SECRET_MISSING, ATB_RELAY_IMPOSSIBLE (the configuration names nobody),
 * ATB_RELAY_UNPROVED (no channel connected in time), ATB_STORE_FAILED, those of `reachHub`, and the hub's own if it cannot start.
 */
export async function requireRelay(paths: Paths, session: RelayedSession): Promise<void> {
  const config = loadConfig({
    file: paths.config,
    channels: channelSchemas,
    env: process.env,
    secrets: "leave",
  });
  if (!hasChannels(config) || findRelayTargets(config, null).ready.length === 0)
    throw createImpossibleError(paths, config);
  try {
    const { problem } = await proveReach(paths, session);
    if (problem !== null) throw createUnprovedError(problem);
  } catch (error) {
    throw error instanceof AtlasBridgeError && error.cause instanceof AtlasBridgeError
      ? new AtlasBridgeError(error.cause.code, error.message, { hint: error.hint, cause: error })
      : error;
  }
}

async function proveReach(paths: Paths, session: RelayedSession): Promise<ResultOf<HubCalls, "relay.check">> {
  const deadline = performance.now() + PROVED_WITHIN_MS;
  for (;;) {
    const reach = await withHub(paths, (hub) => hub.call("relay.check", { ...session }));
    if (reach.problem === null || performance.now() >= deadline) return reach;
    if (!reach.isPending) return reach;
    await pause(LOOK_EVERY_MS);
  }
}

function createImpossibleError(
  { config: file }: Paths,
  config: Parameters<typeof findRelayTargets>[0],
): AtlasBridgeError {
  const { unready } = findRelayTargets(config, null);
  const problem =
    unready.length === 0
      ? "it configures no channel"
      : `${unready.join(", ")} needs a chat in deliver_to and an approver in people`;
  return new AtlasBridgeError("ATB_RELAY_IMPOSSIBLE", `${file}: ${problem}`, {
    hint: "Run `atlasbridge setup` (or `atlasbridge setup slack`).",
  });
}

function createUnprovedError(problem: string): AtlasBridgeError {
  return new AtlasBridgeError(
    "ATB_RELAY_UNPROVED",
    `prompts would reach nobody: ${makeVisible(problem)}; the tool was not started`,
    {
      hint: "`atlasbridge status` shows each channel. Without --relay-required the tool starts anyway.",
    },
  );
}
