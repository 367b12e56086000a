/** Composes the hub: configuration, ledger and channels become the core behind the socket. */
import { join } from "node:path";
import { ensureHubSecret } from "../../config/hub-secret.js";
import { loadConfig } from "../../config/load.js";
import type { Paths } from "../../config/paths.js";
import type { Config } from "../../config/schema.js";
import { openHub, type Hub as LedgerCore } from "../../hub/core/hub.js";
import { computeHubMark, markIds } from "../../hub/delivery/hub-mark.js";
import { createScreenPainter } from "../../hub/picture/paint.js";
import { describeRouteProblem, type ConfiguredChannel } from "../../hub/people/routing.js";
import type { HubService } from "../../hub/serve/hub-service.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { formatInstant } from "../../model/clock.js";
import { LOCAL_IDENTITY } from "../../model/ids.js";
import { systemClock } from "../../observe/clock.js";
import type { Log } from "../../observe/log.js";
import { isProcessAlive, isProcessStopped } from "../../observe/process-life.js";
import { systemRandom } from "../../observe/random.js";
import { redact } from "../../safety/redact.js";
import { sanitizeText } from "../../safety/safe-text.js";
import { PROTOCOL_VERSION, type HubCalls, type ParamsOf, type ResultOf } from "../../wire/messages.js";
import { findForeignEndpoint, createUnconfirmedError } from "../../plugins/channels/endpoints.js";
import { readConfigDigest } from "../../config/stored/config-digest.js";
import { listChangedKeys } from "../../config/edit.js";
import { channelSchemas } from "../../plugins/channels/channel-schemas.js";
import { findPackageRoot, getProgramVersion } from "../../observe/package-root.js";
import { refuseBelowTool } from "./below-tool.js";
import { loadPolicy, type LoadedPolicy } from "../../policy/active-policy.js";
import { writeReachNote } from "../reach-note.js";
import { ConfiguredChannels } from "./configured-channels.js";

type Variables = Readonly<Record<string, string>>;

/** `variables` replace those of this process: they are newer. */
function readConfig(paths: Paths, variables: Variables): Config {
  const env = { ...process.env, ...variables };
  return loadConfig({ file: paths.config, channels: channelSchemas, env, secrets: "resolve" });
}

/** Errors: ATB_CONFIG_INVALID, ATB_CONFIG_SECRET_MISSING, ATB_FILE_DENIED, ATB_STORE_DAMAGED, ATB_STORE_FAILED, ATB_SUPERVISED. */
export async function composeHub(paths: Paths, log: Log): Promise<HubService> {
  const digest = readConfigDigest(paths);
  const config = readConfig(paths, {});
  const policy = await loadPolicy(paths, config);
  const current: ServiceParts["current"] = { config, policy, digest, variables: {}, reloadProblem: null };
  const version = getProgramVersion();
  const core = await openHub({
    databasePath: paths.database,
    auditKey: paths.auditKey,
    clock: systemClock,
    random: markIds(systemRandom, computeHubMark(ensureHubSecret(paths))),
    safeText: sanitizeText,
    redact,
    settings: config,
    policy: () => current.policy.policy,
    processAlive: isProcessAlive,
    processStopped: isProcessStopped,
    paintScreen: createScreenPainter(join(findPackageRoot(), "fonts")),
    log,
    version,
  });
  try {
    refuseBelowTool(core.sessionAdmission);
  } catch (error) {
    await core.stop();
    throw error;
  }
  const configuredChannels = new ConfiguredChannels(core, log, (ids) => writeReachNote(paths, ids));
  await core.useChannels(requireRoutable(config, await configuredChannels.create(config)));
  configuredChannels.adopt();
  await core.start();
  core.announcer.start();
  return serveCore({ core, configuredChannels, current, paths, log, version, startedAt: systemClock.now() });
}

interface ServiceParts {
  readonly core: LedgerCore;
  readonly configuredChannels: ConfiguredChannels;
  /** The configuration as the hub uses it. */
  readonly current: {
    config: Config;
    policy: LoadedPolicy;
    digest: string;
    /** What reloads have brought. */
    variables: Variables;
    reloadProblem: string | null;
  };
  readonly paths: Paths;
  readonly log: Log;
  readonly version: string;
  readonly startedAt: number;
}

function serveCore(parts: ServiceParts): HubService {
  const { core, configuredChannels } = parts;
  return {
    handlers: {
      ...core.handlers,
      "hub.status": () => getStatus(parts),
      "hub.pause": async ({ paused }) => {
        await core.setPaused(paused, LOCAL_IDENTITY);
        return {};
      },
      "hub.reload": ({ variables }) => reload(parts, variables),
      "channel.trust": (wish) => trust(parts, wish),
      "pairing.begin": ({ channel }, { ended }) => {
        configuredChannels.requirePairing(channel);
        return { code: core.pairing.begin(channel, ended) };
      },
    },
    connected: (sessionId, link) => core.connected(sessionId, link),
    disconnected: (sessionId) => core.noteDisconnected(sessionId),
    workerTooOld: (sessionId, version) => core.noteWorkerTooOld(sessionId, version),
    listRunning: () => core.lostSessions.listRunning(),
    admission: core.sessionAdmission,
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
  current,
  version,
  startedAt,
}: ServiceParts): ResultOf<HubCalls, "hub.status"> {
  return {
    pid: process.pid,
    version,
    protocol: PROTOCOL_VERSION,
    ...core.markClockSet({ startedAt: formatInstant(startedAt), channels: configuredChannels.health() }),
    ...core.readStatus(),
    unreached: core.reach.findProblem(),
    unreachedPrompts: core.reach.summarizeUnreachedPrompts(),
    configDigest: current.digest,
    ...(current.reloadProblem !== null && { reloadProblem: current.reloadProblem }),
  };
}

/** Replaces configuration and policy; an invalid file of either keeps both as they are and reports the problem. */
async function reload(
  { core, configuredChannels, current, paths, log }: ServiceParts,
  brought: Variables = {},
): Promise<ResultOf<HubCalls, "hub.reload">> {
  const variables = { ...current.variables, ...brought };
  let config: Config;
  let policy: LoadedPolicy;
  let next: readonly ConfiguredChannel[];
  let digest: string;
  try {
    // Before the files are read: what changes meanwhile counts as not read.
    digest = readConfigDigest(paths);
    config = readConfig(paths, variables);
    policy = await loadPolicy(paths, config);
    next = requireRoutable(config, await configuredChannels.create(config));
  } catch (error) {
    if (!(error instanceof AtlasBridgeError)) throw error;
    const { code, message, hint } = error;
    log("warn", "the configuration was not reloaded", { code, problem: message });
    // Whoever asks for the status may not be whoever wrote the file.
    current.reloadProblem = sanitizeText(redact(message));
    throw new AtlasBridgeError(code, message, {
      hint: `${hint} The hub keeps its current configuration and rules.`.trim(),
    });
  }
  const rules = policy.text === current.policy.text ? [] : ["policy"];
  const changed = [...listChangedKeys(current.config, config), ...rules];
  const [{ people }, chats] = [current.config, core.announcer.listChats()];
  current.config = config;
  current.policy = policy;
  current.digest = digest;
  current.variables = variables;
  current.reloadProblem = null;
  core.reconfigure(config);
  const channels = [...configuredChannels.adopt()];
  await core.useChannels(next);
  core.reach.places.forgetRefusals();
  void core.announcer.tellOfApprovers(people, chats);
  log("info", "the configuration was reloaded", { changed, channels });
  return { changed, channels };
}

/**
 * `address` null only queries the current address and whether it is confirmed for these tokens. Errors: ATB_CHANNEL_UNKNOWN, ATB_CONFIG_*; ATB_ENDPOINT_UNCONFIRMED if the
 * address has changed.
 */
async function trust(
  parts: ServiceParts,
  { channel, address, variables: asked = {} }: ParamsOf<HubCalls, "channel.trust">,
): Promise<ResultOf<HubCalls, "channel.trust">> {
  const variables = { ...parts.current.variables, ...(address === null && asked) };
  const settings = readConfig(parts.paths, variables).channels[channel];
  if (settings === undefined)
    throw new AtlasBridgeError("ATB_CHANNEL_UNKNOWN", `"${channel}" is not a configured channel`);
  const endpoint = findForeignEndpoint(channel, settings);
  if (endpoint === null) return { address: null, confirmed: true };
  if (address === null)
    return { address: endpoint.address, confirmed: parts.configuredChannels.isConfirmed(channel, settings) };
  if (endpoint.address !== address) throw createUnconfirmedError(channel, endpoint.address);
  parts.configuredChannels.confirm(channel, endpoint);
  await reload(parts);
  return { address, confirmed: true };
}
