/** The hub's configured channels: created from their plugins, and kept across a reload while their settings stay the same. */
import { isDeepStrictEqual } from "node:util";
import type { Config } from "../../config/schema.js";
import { listApproverNames } from "../../hub/people/reach.js";
import type { ConfiguredChannel } from "../../hub/people/routing.js";
import type { Hub } from "../../hub/core/hub.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { systemClock } from "../../observe/clock.js";
import type { Log } from "../../observe/log.js";
import { systemRandom } from "../../observe/random.js";
import {
  CHANNEL_API,
  type Channel,
  type ChannelHealth,
  type ChannelHost,
  type ForeignEndpoint,
} from "../../sdk/channel.js";
import { makePrintable } from "../../sdk/text.js";
import type { HubStatus } from "../../wire/listings.js";
import type { ChannelChange } from "../../wire/messages.js";
import { listChannelChanges, type UsedChannel } from "./channel-changes.js";
import { createClosedChannel } from "./closed-channel.js";
import {
  CONFIRMED_KEY,
  buildConfirmation,
  findForeignEndpoint,
  describeUnconfirmed,
} from "../../plugins/channels/endpoints.js";
import { builtInChannels, channelLoaders, type AnyChannelPlugin } from "../../plugins/channels/channels.js";

interface UsedPlugin {
  readonly configuredChannel: ConfiguredChannel;
  readonly plugin: AnyChannelPlugin;
  readonly settings: unknown;
  /** The unconfirmed address; null if the channel is open. */
  readonly closedTo: string | null;
}

export class ConfiguredChannels {
  readonly #core: Hub;
  readonly #log: Log;
  readonly #noteConnected: (ids: readonly string[]) => void;
  readonly #health = new Map<string, { readonly health: ChannelHealth; readonly since: number }>();
  #taken: readonly UsedPlugin[] = [];
  /** What the last `create` made; a refused configuration leaves it unused. */
  #created: readonly UsedPlugin[] = [];
  #used: readonly UsedChannel[] = [];

  /** `noteConnected`: called with the channels that are connected now, whenever one changes. */
  constructor(core: Hub, log: Log, noteConnected: (ids: readonly string[]) => void) {
    this.#core = core;
    this.#log = log;
    this.#noteConnected = noteConnected;
  }

  /** Creates the channels of this configuration. They count from `adopt` on. Errors: ATB_CONFIG_INVALID. */
  async create(config: Config): Promise<readonly ConfiguredChannel[]> {
    const wanted = { ...builtInChannels, ...config.channels };
    const taken = await Promise.all(Object.entries(wanted).map(([id, settings]) => this.#take(id, settings)));
    this.#created = taken;
    return taken.map(({ configuredChannel }) => configuredChannel);
  }

  /** Called when the hub uses the channels that the last `create` returned. Returns the changes. */
  adopt(): readonly ChannelChange[] {
    this.#taken = this.#created;
    const before = this.#used;
    this.#used = this.#taken.map(({ configuredChannel: { id, channel }, closedTo }) => ({
      id,
      channel,
      closedTo,
    }));
    return listChannelChanges(before, this.#used);
  }

  health(): HubStatus["channels"] {
    return this.#taken.map(({ configuredChannel }) => {
      const { id } = configuredChannel;
      const known = this.#health.get(id);
      const health: ChannelHealth = known?.health ?? { state: "starting" };
      const told =
        "reason" in health
          ? { reason: health.reason, action: health.action }
          : { reason: null, action: null };
      const since = known ? new Date(known.since).toISOString() : null;
      const { reach } = this.#core;
      const approvers = listApproverNames(reach.facts, id);
      const refused = reach.listRefusedPlaces(configuredChannel);
      return { id, state: health.state, ...told, since, approvers, refused };
    });
  }

  /** Refuses a channel without pairing. Errors: ATB_CHANNEL_UNKNOWN. */
  requirePairing(id: string): void {
    const taken = this.#taken.find(({ configuredChannel }) => configuredChannel.id === id);
    if (!taken?.plugin.pairing) {
      throw new AtlasBridgeError("ATB_CHANNEL_UNKNOWN", `"${id}" is not a configured channel with pairing`, {
        hint: `Run \`atlasbridge setup ${id}\`.`,
      });
    }
  }

  /** Records that this channel's tokens may be sent there. The next `create` opens the channel. */
  confirm(id: string, endpoint: ForeignEndpoint): void {
    this.#core.createChannelHost(id).setSetting(CONFIRMED_KEY, buildConfirmation(endpoint));
    this.#core.sessionAdmission.record({
      step: "endpoint_confirmed",
      sessionId: null,
      details: { channel: id, address: endpoint.address },
    });
  }

  /** Whether this channel's tokens may be sent where its settings say. */
  isConfirmed(id: string, settings: unknown): boolean {
    return this.#findUnconfirmedAddress(id, settings) === null;
  }

  async #take(id: string, settings: unknown): Promise<UsedPlugin> {
    const closedTo = this.#findUnconfirmedAddress(id, settings);
    const before = this.#taken.find(({ configuredChannel }) => configuredChannel.id === id);
    if (before && before.closedTo === closedTo && isDeepStrictEqual(before.settings, settings)) return before;
    const plugin = await loadPlugin(id);
    const created = plugin.create(settings as never, this.#createHost(id));
    const channel = closedTo === null ? created : this.#createClosed(id, closedTo, created);
    const { capabilities } = plugin.manifest;
    return {
      plugin,
      settings,
      closedTo,
      configuredChannel: {
        id,
        capabilities,
        places: plugin.places(settings as never),
        personAt: (place) => plugin.personAt?.(place) ?? null,
        channel,
      },
    };
  }

  #findUnconfirmedAddress(id: string, settings: unknown): string | null {
    const endpoint = findForeignEndpoint(id, settings);
    if (endpoint === null) return null;
    const confirmed = this.#core.createChannelHost(id).getSetting(CONFIRMED_KEY);
    return confirmed === buildConfirmation(endpoint) ? null : endpoint.address;
  }

  #createClosed(id: string, address: string, channel: Channel): Channel {
    const details = { channel: id, address };
    this.#core.sessionAdmission.record({ step: "endpoint_unconfirmed", sessionId: null, details });
    this.#log("warn", describeUnconfirmed(address), { channel: id });
    return createClosedChannel({ id, address, channel }, this.#createHost(id));
  }

  #createHost(id: string): ChannelHost {
    return {
      clock: systemClock,
      random: () => systemRandom.fraction(),
      ...this.#core.createChannelHost(id),
      report: (told) => {
        const health = sanitizeHealth(told);
        this.#health.set(id, { health, since: systemClock.now() });
        this.#core.reach.noteHealth(id, health);
        const connected = [...this.#health].filter(([, known]) => known.health.state === "connected");
        this.#noteConnected(connected.map(([known]) => known));
        this.#log("info", "a channel's state changed", { channel: id, state: health.state });
      },
      log: (level, message, fields) => this.#log(level, message, { channel: id, ...fields }),
      broadcast: (payload) => this.#core.broadcast(payload),
    };
  }
}

/** Sanitizes a channel's state: it may contain the service's own text, which `status` and `doctor` print on a terminal. */
function sanitizeHealth(health: ChannelHealth): ChannelHealth {
  if (!("reason" in health)) return health;
  return {
    ...health,
    reason: makePrintable(health.reason, WORDS_MAX),
    action: makePrintable(health.action, WORDS_MAX),
  };
}

/** One or two sentences. */
const WORDS_MAX = 400;

async function loadPlugin(id: string): Promise<AnyChannelPlugin> {
  const plugin = await channelLoaders[id]?.();
  if (plugin?.manifest.api === CHANNEL_API) return plugin;
  const problem = plugin
    ? `speaks version ${plugin.manifest.api} of the channel contract, not ${CHANNEL_API}`
    : "does not exist";
  throw new AtlasBridgeError("ATB_CHANNEL_UNKNOWN", `channel "${id}" ${problem}`);
}
