/** Where questions of this session will go, from the configuration alone: the start line never waits for the hub. */
import type { Config } from "../../../config/schema.js";
import { approversOn } from "../../../hub/people/people.js";
import { isRoutedTo, peopleFor, type RoutedSession } from "../../../hub/people/routing.js";
import { foreignEndpointOf } from "../../../plugins/channels/endpoints.js";

/** Of an address in a line of the terminal. */
const ADDRESS_MAX = 80;

export interface RelayTargets {
  /** Ids of the channels that have somewhere to deliver this session's questions to, and somebody who may answer there. */
  readonly ready: readonly string[];
  /** Ids of those that lack one of both for every session. */
  readonly unready: readonly string[];
  /** Ids of those that would do, were it not for the routes of this session. */
  readonly unrouted?: readonly string[];
  /** Of those whose tokens go to an address that is not the service's own: that address. */
  readonly addresses?: Readonly<Record<string, string>>;
}

type TargetSettings = Pick<Config, "channels" | "people" | "routes">;

/** `session`: null for what holds for a session that no route fits. */
export function relayTargets(
  { channels, people, routes }: TargetSettings,
  session: RoutedSession | null,
): RelayTargets {
  const present = peopleFor({ people, routes }, session);
  const chatsOf = ([id, settings]: readonly [string, unknown]): string[] =>
    ((settings as { deliver_to?: unknown[] } | undefined)?.deliver_to ?? []).map(
      (place) => `${id}:${String(place)}`,
    );
  const isReady = (channel: readonly [string, unknown]): boolean =>
    chatsOf(channel).length > 0 && approversOn(people, channel[0]).length > 0;
  const isRouted = (channel: readonly [string, unknown]): boolean =>
    approversOn(present, channel[0]).length > 0 &&
    chatsOf(channel).some((chat) => session === null || isRoutedTo(routes, session, chat));
  const all = Object.entries(channels);
  return {
    ready: all.filter((channel) => isReady(channel) && isRouted(channel)).map(([id]) => id),
    unready: all.filter((channel) => !isReady(channel)).map(([id]) => id),
    unrouted: all.filter((channel) => isReady(channel) && !isRouted(channel)).map(([id]) => id),
    addresses: Object.fromEntries(
      all.flatMap(([id, settings]) => {
        const endpoint = foreignEndpointOf(id, settings);
        return endpoint ? [[id, endpoint.address.slice(0, ADDRESS_MAX)]] : [];
      }),
    ),
  };
}

export interface StartLine {
  readonly relay: boolean;
  readonly targets: RelayTargets;
  readonly sessionId: string;
  /** Why nothing is relayed although it was wanted. */
  readonly problem: string | null;
}

/** Our one line at the start of a run. It says what is configured; that a service answers nobody knows yet. */
export function startLine({ relay, targets, sessionId, problem }: StartLine): string {
  const { ready, unready, unrouted = [], addresses = {} } = targets;
  const session = `session ${sessionId.slice(0, 8)}`;
  if (problem) return `atlasbridge: nothing is relayed: ${problem} · ${session}`;
  if (!relay) return `atlasbridge: nothing is relayed (--no-relay) · ${session}`;
  const named = ready.map((id) =>
    addresses[id] === undefined ? id : `${id} at ${addresses[id]} (if that was confirmed)`,
  );
  if (ready.length > 0) return `atlasbridge: will relay to ${named.join(", ")} once connected · ${session}`;
  if (unrouted.length > 0)
    return `atlasbridge: the routes leave nobody on ${unrouted.join(", ")} who may answer this session · ${session}`;
  return unready.length > 0
    ? `atlasbridge: nobody on ${unready.join(", ")} can answer yet: see \`atlasbridge doctor\` · ${session}`
    : `atlasbridge: no phone yet: \`atlasbridge channel add telegram\` · ${session}`;
}

/** Somebody away from this machine is to be asked. */
export function hasChannels({ channels }: Pick<Config, "channels">): boolean {
  return Object.keys(channels).length > 0;
}
