/** Where questions of this session will go, from the configuration alone: the start line never waits for the hub. */
import type { Config } from "../../../config/schema.js";
import { foreignEndpointOf } from "../../channels/endpoints.js";

/** Of an address in a line of the terminal. */
const ADDRESS_MAX = 80;

export interface RelayTargets {
  /** Ids of the channels that have somewhere to deliver to, and somebody who may answer there. */
  readonly ready: readonly string[];
  /** Ids of those that lack one of both. */
  readonly unready: readonly string[];
  /** Of those whose tokens go to an address that is not the service's own: that address. */
  readonly addresses?: Readonly<Record<string, string>>;
}

export function relayTargets({ channels, people }: Pick<Config, "channels" | "people">): RelayTargets {
  const identities = people.flatMap((person) => (person.role === "approver" ? person.identities : []));
  const isReady = ([id, settings]: readonly [string, unknown]): boolean =>
    ((settings as { deliver_to?: unknown[] } | undefined)?.deliver_to ?? []).length > 0 &&
    identities.some((identity) => identity.startsWith(`${id}:`));
  const all = Object.entries(channels);
  return {
    ready: all.filter(isReady).map(([id]) => id),
    unready: all.filter((channel) => !isReady(channel)).map(([id]) => id),
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
  const { ready, unready, addresses = {} } = targets;
  const session = `session ${sessionId.slice(0, 8)}`;
  if (problem) return `atlasbridge: nothing is relayed: ${problem} · ${session}`;
  if (!relay) return `atlasbridge: nothing is relayed (--no-relay) · ${session}`;
  const named = ready.map((id) =>
    addresses[id] === undefined ? id : `${id} at ${addresses[id]} (if that was confirmed)`,
  );
  if (ready.length > 0) return `atlasbridge: will relay to ${named.join(", ")} once connected · ${session}`;
  return unready.length > 0
    ? `atlasbridge: nobody on ${unready.join(", ")} can answer yet: see \`atlasbridge doctor\` · ${session}`
    : `atlasbridge: no phone yet: \`atlasbridge channel add telegram\` · ${session}`;
}

/** Somebody away from this machine is to be asked. */
export function hasChannels({ channels }: Pick<Config, "channels">): boolean {
  return Object.keys(channels).length > 0;
}
