/** Composes the hub: configuration, ledger and channels become the core behind the socket. */
import { join } from "node:path";
import { loadConfig } from "../../config/load.js";
import type { Paths } from "../../config/paths.js";
import type { Config } from "../../config/schema.js";
import { type Hub as LedgerCore } from "../../hub/core/hub.js";
import { openHub } from "../../hub/core/open-hub.js";
import { createScreenPainter } from "../../hub/picture/paint.js";
import { describeRouteProblem, type ConfiguredChannel } from "../../hub/people/routing.js";
import type { HubService } from "../../hub/serve/core.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { LOCAL_IDENTITY } from "../../model/ids.js";
import { systemClock } from "../../observe/clock.js";
import type { Log } from "../../observe/log.js";
import { isProcessAlive, isProcessStopped } from "../../observe/process-life.js";
import { systemRandom } from "../../observe/random.js";
import { redact } from "../../safety/redact.js";
import { safeText } from "../../safety/safe-text.js";
import { PROTOCOL_VERSION, type HubCalls, type ParamsOf, type ResultOf } from "../../wire/messages.js";
import { findForeignEndpoint, createUnconfirmedError } from "../../plugins/channels/endpoints.js";
import { listChangedKeys } from "../../config/changed-keys.js";
import { channelSchemas } from "../../plugins/channels/channel-schemas.js";
import { findPackageRoot } from "../../observe/package-root.js";
import { refuseBelowTool } from "./below-tool.js";
import { ConfiguredChannels } from "./configured-channels.js";
import { getProgramVersion } from "../../observe/program-version.js";

function readConfig(paths: Paths): Config {
  return loadConfig({ file: paths.config, channels: channelSchemas, env: process.env, secrets: "resolve" });
}

/** Errors: ATB_CONFIG_INVALID, ATB_CONFIG_SECRET_MISSING, ATB_STORE_DAMAGED, ATB_STORE_FAILED, ATB_SUPERVISED. */
export async function composeHub(paths: Paths, log: Log): Promise<HubService> {
  const config = readConfig(paths);
  const version = getProgramVersion();
  const core = await openHub({
    databasePath: paths.database,
    auditKey: paths.auditKey,
    clock: systemClock,
    random: systemRandom,
    safeText,
    redact,
    settings: config,
    processAlive: isProcessAlive,
    processStopped: isProcessStopped,
    paintScreen: createScreenPainter(join(findPackageRoot(), "fonts")),
    log,
    version,
  });
  try {
    refuseBelowTool(core.admissionLedger);
  } catch (error) {
    await core.stop();
    throw error;
  }
  const configuredChannels = new ConfiguredChannels(core, log);
  const current = { config };
  await core.useChannels(requireRoutable(config, await configuredChannels.create(config)));
  configuredChannels.adopt();
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
      "hub.status": () => getStatus(parts),
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
    workerTooOld: (sessionId, version) => core.workerTooOld(sessionId, version),
    workers: () => core.admissionLedger.workers(),
    findProcess: (sessionId) => core.admissionLedger.findProcess(sessionId),
    isOpen: (sessionId) => core.admissionLedger.isOpen(sessionId),
    record: (incident) => core.admissionLedger.record(incident),
    drain: () => core.drain(),
    onWatch: (listener) => core.onWatch(listener),
    isIdle: () => core.isIdle(),
    stop: () => core.stop(),
  };
}

/** Errors: ATB_CONFIG_INVALID for a routing rule that names an unknown place or person. */
function requireRoutable(
  config: Config,
  configuredChannels: readonly ConfiguredChannel[],
): readonly ConfiguredChannel[] {
  const problem = describeRouteProblem(config, configuredChannels);
  if (problem === null) return configuredChannels;
  throw new AtlasBridgeError("ATB_CONFIG_INVALID", problem, {
    hint: "Add it there, or remove it from the rule.",
  });
}

function getStatus({
  core,
  configuredChannels,
  version,
  startedAt,
}: Parts): ResultOf<HubCalls, "hub.status"> {
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
    next = requireRoutable(config, await configuredChannels.create(config));
  } catch (error) {
    if (!(error instanceof AtlasBridgeError)) throw error;
    const { code, message, hint } = error;
    log("warn", "the configuration was not reloaded", { code, problem: message });
    throw new AtlasBridgeError(code, message, {
      hint: `${hint} The hub keeps its current configuration.`.trim(),
    });
  }
  const changed = listChangedKeys(current.config, config);
  current.config = config;
  core.reconfigure(config);
  const channels = [...configuredChannels.adopt()];
  await core.useChannels(next);
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
  const endpoint = findForeignEndpoint(channel, settings);
  if (endpoint === null || address === null) return { address: endpoint?.address ?? null };
  if (endpoint.address !== address) throw createUnconfirmedError(channel, endpoint.address);
  parts.configuredChannels.confirm(channel, endpoint);
  await reload(parts);
  return { address };
}
