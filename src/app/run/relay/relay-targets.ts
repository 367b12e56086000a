/** Finds where a session's prompts will go by the configuration alone, because the start line never waits for the hub. */
import type { Config } from "../../../config/schema.js";
import { listApprovers } from "../../../hub/people/people.js";
import { isRoutedTo, getPeopleFor, type RoutedSession } from "../../../hub/people/routing.js";

export interface RelayTargets {
  /** Ids of channels with a chat and an approver for this session. */
  readonly ready: readonly string[];
  /** Ids of channels that lack a chat or an approver for every session. */
  readonly unready: readonly string[];
  /** Ids of channels that only this session's routes exclude. */
  readonly unrouted?: readonly string[];
  /** The names of those who may answer, for each of `ready`. */
  readonly approvers?: Readonly<Record<string, readonly string[]>>;
  /** The channels that a running hub has reported as connected. */
  readonly connected?: readonly string[];
}

type TargetSettings = Pick<Config, "channels" | "people" | "routes">;

/** `session` is null for a session that no route matches. */
export function findRelayTargets(
  { channels, people, routes }: TargetSettings,
  session: RoutedSession | null,
  connected: readonly string[] = [],
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
    connected,
    ready: all.filter((channel) => isReady(channel) && isRouted(channel)).map(([id]) => id),
    unready: all.filter((channel) => !isReady(channel)).map(([id]) => id),
    unrouted: all.filter((channel) => isReady(channel) && !isRouted(channel)).map(([id]) => id),
    approvers: Object.fromEntries(all.map(([id]) => [id, nameApprovers(present, id)])),
  };
}

function nameApprovers(people: Config["people"], channel: string): string[] {
  const accounts: readonly string[] = listApprovers(people, channel);
  return people
    .filter(({ identities }) => identities.some((each) => accounts.includes(each)))
    .map(({ name }) => name);
}

export interface StartLine {
  readonly relay: boolean;
  readonly targets: RelayTargets;
  readonly sessionId: string;
  /** Why prompts are not relayed although they should be. */
  readonly problem: string | null;
}

/** Our single line at the start of a run: what the configuration says, and what a running hub has reported last. */
export function formatStartLine({ relay, targets, sessionId, problem }: StartLine): string {
  const { ready, unready, unrouted = [], approvers = {}, connected = [] } = targets;
  const session = `session ${sessionId.slice(0, 8)}`;
  if (problem) return `atlasbridge: not relayed: ${problem} · ${session}`;
  if (!relay) return `atlasbridge: not relayed (--no-relay): only this terminal can answer · ${session}`;
  const named = ready.map((id) => {
    const who = `${id} (${(approvers[id] ?? []).join(", ")})`;
    return connected.includes(id) ? who : `${who} once connected`;
  });
  if (ready.length > 0) return `atlasbridge: prompts go to ${named.join(" and ")} · ${session}`;
  if (unrouted.length > 0)
    return `atlasbridge: the routes leave no approver on ${unrouted.join(", ")} for this session · ${session}`;
  return unready.length > 0
    ? `atlasbridge: prompts stay on this machine: nobody is paired with ${unready.join(", ")} (\`atlasbridge setup\`) · ${session}`
    : `atlasbridge: prompts stay on this machine: \`atlasbridge setup\` adds your phone · ${session}`;
}

export function hasChannels({ channels }: Pick<Config, "channels">): boolean {
  return Object.keys(channels).length > 0;
}
