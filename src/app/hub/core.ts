/** Composes the hub: configuration, ledger and channels become the core behind the socket. */
import { join } from "node:path";
import { loadConfig } from "../../config/load.js";
import type { Paths } from "../../config/paths.js";
import type { Config } from "../../config/schema.js";
import { type Hub as LedgerCore } from "../../hub/core/hub.js";
import { openHub } from "../../hub/core/open-hub.js";
import { screenPainter } from "../../hub/picture/paint.js";
import { routeProblem, type ConfiguredChannel } from "../../hub/people/routing.js";
import type { HubService } from "../../hub/serve/core.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { LOCAL_IDENTITY } from "../../model/ids.js";
import { systemClock } from "../../observe/clock.js";
import type { Log } from "../../observe/log.js";
import { processAlive, processStopped } from "../../observe/process-life.js";
import { systemRandom } from "../../observe/random.js";
import { redact } from "../../safety/redact.js";
import { safeText } from "../../safety/safe-text.js";
import { PROTOCOL_VERSION, type HubCalls, type ParamsOf, type ResultOf } from "../../wire/messages.js";
import { foreignEndpointOf, unconfirmedEndpoint } from "../../plugins/channels/endpoints.js";
import { changedKeys } from "../../config/changed-keys.js";
import { channelSchemas } from "../../plugins/channels/channel-schemas.js";
import { packageRoot } from "../../observe/package-root.js";
import { refuseBelowTool } from "./below-tool.js";
import { ConfiguredChannels } from "./configured-channels.js";
import { programVersion } from "../../observe/program-version.js";

function readConfig(paths: Paths): Config {
  return loadConfig({ file: paths.config, channels: channelSchemas, env: process.env, secrets: "resolve" });
}

/** Errors: ATB_CONFIG_INVALID, ATB_CONFIG_SECRET_MISSING, ATB_STORE_DAMAGED, ATB_STORE_FAILED, ATB_SUPERVISED. */
export async function composeHub(paths: Paths, log: Log): Promise<HubService> {
  const config = readConfig(paths);
  const version = programVersion();
  const core = await openHub({
    databasePath: paths.database,
    auditKey: paths.auditKey,
    clock: systemClock,
    random: systemRandom,
    safeText,
    redact,
    settings: config,
    processAlive,
    processStopped,
    paintScreen: screenPainter(join(packageRoot(), "fonts")),
    log,
    version,
  });
  try {
    refuseBelowTool(core.door);
  } catch (error) {
    await core.stop();
    throw error;
  }
  const configuredChannels = new ConfiguredChannels(core, log);
  const current = { config };
  await core.useChannels(routable(config, await configuredChannels.of(config)));
  configuredChannels.adopted();
  await core.start();
  core.foreignWatch.start();
  return serveCore({ core, configuredChannels, current, paths, log, version, startedAt: systemClock.now() });
}

interface Parts {
  readonly core: LedgerCore;
  readonly configuredChannels: ConfiguredChannels;
  /** The configuration as the hub uses it. */
  readonly current: { config: Config };
  readonly paths: Paths;
  readonly log: Log;
  readonly version: string;
  readonly startedAt: number;
}

function serveCore(parts: Parts): HubService {
  const { core, configuredChannels } = parts;
  return {
    handlers: {
      ...core.handlers,
      "hub.status": () => statusOf(parts),
      "hub.pause": async ({ paused }) => {
        await core.setPaused(paused, LOCAL_IDENTITY);
        return {};
      },
      "hub.reload": () => reload(parts),
      "channel.trust": (wish) => trust(parts, wish),
      "pairing.begin": ({ channel }) => {
        configuredChannels.requirePairing(channel);
        return { code: core.pairing.begin(channel) };
      },
    },
    connected: (sessionId, link) => core.connected(sessionId, link),
    disconnected: (sessionId) => core.disconnected(sessionId),
    outgrown: (sessionId, version) => core.outgrown(sessionId, version),
    workers: () => core.door.workers(),
    processOf: (sessionId) => core.door.processOf(sessionId),
    isOpen: (sessionId) => core.door.isOpen(sessionId),
    record: (incident) => core.door.record(incident),
    drain: () => core.drain(),
    onWatch: (listener) => core.onWatch(listener),
    owesNothing: () => core.owesNothing(),
    stop: () => core.stop(),
  };
}

/** Errors: ATB_CONFIG_INVALID for a routing rule that names an unknown place or person. */
function routable(
  config: Config,
  configuredChannels: readonly ConfiguredChannel[],
): readonly ConfiguredChannel[] {
  const problem = routeProblem(config, configuredChannels);
  if (problem === null) return configuredChannels;
  throw new AtlasBridgeError("ATB_CONFIG_INVALID", problem, {
    hint: "Add it there, or remove it from the rule.",
  });
}

function statusOf({ core, configuredChannels, version, startedAt }: Parts): ResultOf<HubCalls, "hub.status"> {
  return {
    pid: process.pid,
    version,
    protocol: PROTOCOL_VERSION,
    startedAt: new Date(startedAt).toISOString(),
    ...core.status(),
    unreached: core.reach.problem(),
    channels: configuredChannels.health(),
  };
}

/** Replaces the frozen configuration; an invalid file keeps the old one and reports the problem. */
async function reload({
  core,
  configuredChannels,
  current,
  paths,
  log,
}: Parts): Promise<ResultOf<HubCalls, "hub.reload">> {
  let config: Config;
  let next: readonly ConfiguredChannel[];
  try {
    config = readConfig(paths);
    next = routable(config, await configuredChannels.of(config));
  } catch (error) {
    if (!(error instanceof AtlasBridgeError)) throw error;
    const { code, message, hint } = error;
    log("warn", "the configuration was not reloaded", { code, problem: message });
    throw new AtlasBridgeError(code, message, {
      hint: `${hint} The hub keeps its current configuration.`.trim(),
    });
  }
  const changed = changedKeys(current.config, config);
  current.config = config;
  core.reconfigure(config);
  await core.useChannels(next);
  const channels = [...configuredChannels.adopted()];
  core.reach.reconfigured();
  log("info", "the configuration was reloaded", { changed, channels });
  return { changed, channels };
}

/**
 * `address` null only queries the current address. Errors: ATB_CHANNEL_UNKNOWN, ATB_CONFIG_*; ATB_ENDPOINT_UNCONFIRMED if the
 * address has changed.
 */
async function trust(
  parts: Parts,
  { channel, address }: ParamsOf<HubCalls, "channel.trust">,
): Promise<ResultOf<HubCalls, "channel.trust">> {
  const settings = readConfig(parts.paths).channels[channel];
  if (settings === undefined)
    throw new AtlasBridgeError("ATB_CHANNEL_UNKNOWN", `"${channel}" is not a configured channel`);
  const endpoint = foreignEndpointOf(channel, settings);
  if (endpoint === null || address === null) return { address: endpoint?.address ?? null };
  if (endpoint.address !== address) throw unconfirmedEndpoint(channel, endpoint.address);
  parts.configuredChannels.confirm(channel, endpoint);
  await reload(parts);
  return { address };
}
