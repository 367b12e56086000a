/** Checks whether each channel reaches its service: asks a running hub, otherwise the service. */
import type { Clock } from "../model/clock.js";
import type { ChannelFinding } from "../sdk/channel.js";
import { makePrintable } from "../sdk/text.js";
import type { HubStatus } from "../wire/listings.js";
import type { AnyChannelPlugin } from "../plugins/channels/channels.js";
import {
  buildConfirmation,
  findForeignEndpoint,
  describeHowToConfirm,
  describeUnconfirmed,
  CONFIRMED_KEY,
} from "../plugins/channels/endpoints.js";
import type { HubFacts } from "./hub.js";
import type { CheckFinding } from "./check.js";
import { ABANDONED, isAbandoned } from "../hub/people/routing.js";
import { loadConfig } from "../config/load.js";
import type { Config } from "../config/schema.js";
import { resolvePaths, type Paths } from "../config/paths.js";
import { AtlasBridgeError } from "../model/errors.js";
import { channelSchemas } from "../plugins/channels/channel-schemas.js";

/** A slower service has a problem. */
const QUESTION_LIMIT_MS = 5000;

/** Limits the service's own text. */
const FOUND_MAX = 400;

export interface ChannelToCheck {
  readonly id: string;
  readonly config: unknown;
  readonly hub: HubFacts;
  readonly plugin: (id: string) => Promise<AnyChannelPlugin | undefined>;
  readonly clock: Clock;
  readonly confirmed: (id: string) => Promise<string | null>;
  readonly people: Config["people"];
}

export async function checkChannel(question: ChannelToCheck): Promise<CheckFinding> {
  const { state, found, action } = await inspectChannel(question);
  return { name: `channel:${question.id}`, state, found: makePrintable(found, FOUND_MAX), action };
}

async function inspectChannel({
  id,
  config,
  hub,
  plugin: load,
  clock,
  confirmed,
  people,
}: ChannelToCheck): Promise<ChannelFinding> {
  if (hub.kind === "serves") return readHubState(hub.status.channels.find((channel) => channel.id === id));
  const endpoint = findForeignEndpoint(id, config);
  if (endpoint && (await confirmed(id)) !== buildConfirmation(endpoint))
    return { state: "fail", found: describeUnconfirmed(endpoint.address), action: describeHowToConfirm(id) };
  const plugin = await load(id);
  if (!plugin?.diagnose) return NEEDS_HUB;
  const finding = await plugin.diagnose(config as never, clock, QUESTION_LIMIT_MS);
  if (finding.state !== "ok") return finding;
  const places = plugin.places(config as never);
  if (places.length === 0)
    return { state: "warn", found: `${finding.found}, but it is not paired`, action: adviseSetup(id) };
  const abandoned = places.filter((place) => isAbandoned(plugin, place, people));
  if (abandoned.length === 0) return finding;
  return describeRefused(
    finding.found,
    abandoned.map((place) => ({ place, reason: ABANDONED })),
  );
}

function adviseSetup(id: string): string {
  return `Run \`atlasbridge setup ${id}\`.`;
}

const NEEDS_HUB: ChannelFinding = {
  state: "warn",
  found: "only a hub can check this, and none is running",
  action: "Run `atlasbridge hub start`, then run this again.",
};

/** Undefined: the hub's configuration is older. */
function readHubState(channel: HubStatus["channels"][number] | undefined): ChannelFinding {
  if (!channel) {
    const action = "Run `atlasbridge hub reload`.";
    return { state: "warn", found: "the hub does not know it yet", action };
  }
  const { state, reason, action, approvers, refused } = channel;
  const found = reason === null ? `the hub reports: ${state}` : `the hub reports: ${state}: ${reason}`;
  switch (state) {
    case "connected":
      if (refused.length > 0) return describeRefused(found, refused);
      return approvers.length > 0
        ? { state: "ok", found, action: null }
        : {
            state: "warn",
            found: `${found}; \`people\` lists no approver for it`,
            action: adviseSetup(channel.id),
          };
    case "starting":
    case "stopped":
      return { state: "warn", found, action: action ?? "Check again in a moment." };
    case "degraded":
    case "failed":
      return { state: "fail", found, action };
  }
}

function describeRefused(found: string, refused: HubStatus["channels"][number]["refused"]): ChannelFinding {
  const chats = refused.map(({ place, reason }) => `messages do not arrive in chat ${place}: ${reason}`);
  const action =
    "Fix it in the service, correct `deliver_to`, or add the chat's person with `atlasbridge people add`; then run `atlasbridge hub reload` if a hub runs.";
  return { state: "fail", found: [found, ...chats].join("; "), action };
}

export interface UnconfirmedChannel {
  readonly channel: string;
  readonly reason: string;
  readonly action: string;
}

/** For use without a hub. Empty if the configuration cannot be read. */
export async function listUnconfirmedChannels(paths: Paths = resolvePaths()): Promise<UnconfirmedChannel[]> {
  const settings = readChannels(paths);
  const found = await Promise.all(
    Object.entries(settings).map(async ([channel, config]): Promise<UnconfirmedChannel[]> => {
      const endpoint = findForeignEndpoint(channel, config);
      if (endpoint === null || (await isConfirmed(paths, channel, buildConfirmation(endpoint)))) return [];
      return [
        { channel, reason: describeUnconfirmed(endpoint.address), action: describeHowToConfirm(channel) },
      ];
    }),
  );
  return found.flat();
}

/** A ledger that cannot be read confirms nothing. */
async function isConfirmed(paths: Paths, channel: string, confirmation: string): Promise<boolean> {
  try {
    return (await readConfirmed(paths, channel)) === confirmation;
  } catch (error) {
    if (error instanceof AtlasBridgeError) return false;
    throw error;
  }
}

export async function readConfirmed(
  { database: path, auditKey }: Paths,
  channel: string,
): Promise<string | null> {
  const { readSetting } = await import("../hub/store/read-store.js");
  return readSetting({ path, auditKey }, channel, CONFIRMED_KEY);
}

function readChannels({ config: file }: Paths): Readonly<Record<string, unknown>> {
  try {
    return loadConfig({ file, env: process.env, channels: channelSchemas, secrets: "resolve" }).channels;
  } catch (error) {
    if (error instanceof AtlasBridgeError) return {};
    throw error;
  }
}
