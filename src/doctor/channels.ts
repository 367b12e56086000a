/** Checks whether each configured channel reaches its service: a running hub knows, otherwise the channel asks the service. */
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
} from "../plugins/channels/endpoints.js";
import type { HubFacts } from "./hub.js";
import type { CheckFinding } from "./check.js";

/** Somebody waits at the terminal: a service that takes longer has a problem. */
const QUESTION_LIMIT_MS = 5000;

/** Longest finding: some of it is the service's own text. */
const FOUND_MAX = 400;

export interface ChannelToCheck {
  readonly id: string;
  /** Its part of the configuration, with secrets. */
  readonly config: unknown;
  readonly hub: HubFacts;
  readonly plugin: (id: string) => Promise<AnyChannelPlugin | undefined>;
  readonly clock: Clock;
  /** The address that a person confirmed, as stored in the ledger. */
  readonly confirmed: (id: string) => Promise<string | null>;
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
}: ChannelToCheck): Promise<ChannelFinding> {
  if (hub.kind === "serves") return readHubState(hub.status.channels.find((channel) => channel.id === id));
  const endpoint = findForeignEndpoint(id, config);
  if (endpoint && (await confirmed(id)) !== buildConfirmation(endpoint))
    return { state: "fail", found: describeUnconfirmed(endpoint.address), action: describeHowToConfirm(id) };
  const plugin = await load(id);
  if (!plugin?.diagnose) return NEEDS_HUB;
  const finding = await plugin.diagnose(config as never, clock, QUESTION_LIMIT_MS);
  if (finding.state !== "ok" || plugin.places(config as never).length > 0) return finding;
  const action = `Run \`atlasbridge setup ${id}\`.`;
  return { state: "warn", found: `${finding.found}, but deliver_to is empty`, action };
}

const NEEDS_HUB: ChannelFinding = {
  state: "warn",
  found: "only a hub can check this, and none is running",
  action: "Run `atlasbridge hub start`, then run this again.",
};

const NAME_PEOPLE = "Name an approver with an identity of this channel in `people`.";

/** `undefined`: the hub's configuration is older. */
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
        : { state: "warn", found: `${found}; \`people\` lists no approver for it`, action: NAME_PEOPLE };
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
  const action = "Fix it in the service or correct `deliver_to`, then run `atlasbridge hub reload`.";
  return { state: "fail", found: [found, ...chats].join("; "), action };
}
