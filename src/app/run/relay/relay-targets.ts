/** Finds where a session's prompts will go by the configuration alone, because the start line never waits for the hub. */
import type { Config } from "../../../config/schema.js";
import { listApprovers } from "../../../hub/people/people.js";
import { isRoutedTo, getPeopleFor, type RoutedSession } from "../../../hub/people/routing.js";
import { findForeignEndpoint } from "../../../plugins/channels/endpoints.js";

const ADDRESS_MAX = 80;

export interface RelayTargets {
  /** Ids of channels with a chat and an approver for this session. */
  readonly ready: readonly string[];
  /** Ids of channels that lack a chat or an approver for every session. */
  readonly unready: readonly string[];
  /** Ids of channels that only this session's routes exclude. */
  readonly unrouted?: readonly string[];
  /** The addresses of channels whose tokens do not go to the service's own. */
  readonly addresses?: Readonly<Record<string, string>>;
}

type TargetSettings = Pick<Config, "channels" | "people" | "routes">;

/** `session` is null for a session that no route matches. */
export function findRelayTargets(
  { channels, people, routes }: TargetSettings,
  session: RoutedSession | null,
): RelayTargets {
  const present = getPeopleFor({ people, routes }, session);
  const listChats = ([id, settings]: readonly [string, unknown]): string[] =>
    ((settings as { deliver_to?: unknown[] } | undefined)?.deliver_to ?? []).map(
      (place) => `${id}:${String(place)}`,
    );
  const isReady = (channel: readonly [string, unknown]): boolean =>
    listChats(channel).length > 0 && listApprovers(people, channel[0]).length > 0;
  const isRouted = (channel: readonly [string, unknown]): boolean =>
    listApprovers(present, channel[0]).length > 0 &&
    listChats(channel).some((chat) => session === null || isRoutedTo(routes, session, chat));
  const all = Object.entries(channels);
  return {
    ready: all.filter((channel) => isReady(channel) && isRouted(channel)).map(([id]) => id),
    unready: all.filter((channel) => !isReady(channel)).map(([id]) => id),
    unrouted: all.filter((channel) => isReady(channel) && !isRouted(channel)).map(([id]) => id),
    addresses: Object.fromEntries(
      all.flatMap(([id, settings]) => {
        const endpoint = findForeignEndpoint(id, settings);
        return endpoint ? [[id, endpoint.address.slice(0, ADDRESS_MAX)]] : [];
      }),
    ),
  };
}

export interface StartLine {
  readonly relay: boolean;
  readonly targets: RelayTargets;
  readonly sessionId: string;
  /** Why prompts are not relayed although they should be. */
  readonly problem: string | null;
}

/** Our single line at the start of a run. It shows the configuration; whether a service responds is not known yet. */
export function formatStartLine({ relay, targets, sessionId, problem }: StartLine): string {
  const { ready, unready, unrouted = [], addresses = {} } = targets;
  const session = `session ${sessionId.slice(0, 8)}`;
  if (problem) return `atlasbridge: not relayed: ${problem} · ${session}`;
  if (!relay) return `atlasbridge: not relayed (--no-relay): only this terminal can answer · ${session}`;
  const named = ready.map((id) =>
    addresses[id] === undefined ? id : `${id} at ${addresses[id]} (if confirmed)`,
  );
  if (ready.length > 0)
    return `atlasbridge: prompts will also go to ${named.join(", ")} once connected · ${session}`;
  if (unrouted.length > 0)
    return `atlasbridge: the routes leave no approver on ${unrouted.join(", ")} for this session · ${session}`;
  return unready.length > 0
    ? `atlasbridge: prompts stay on this machine: nobody is paired with ${unready.join(", ")} (\`atlasbridge setup\`) · ${session}`
    : `atlasbridge: prompts stay on this machine: \`atlasbridge setup\` adds your phone · ${session}`;
}

export function hasChannels({ channels }: Pick<Config, "channels">): boolean {
  return Object.keys(channels).length > 0;
}
