/** Determines who can be reached with a prompt now, from what the channels have proved. Pure. */
import type { ChannelHealth } from "../../sdk/channel.js";
import { LOCAL_IDENTITY } from "../../model/ids.js";
import { listApprovers, hasApprover, getDisplayName, findMembership } from "./people.js";
import {
  getPeopleFor,
  findRoutes,
  type RoutedSession,
  type RouteSettings,
  type ConfiguredChannel,
} from "./routing.js";

export interface Reachability {
  readonly channels: string[];
  /** Why nobody can be reached; null if someone can. */
  readonly problem: string | null;
  /** No channel is ready yet, but a suitable one is still connecting. */
  readonly isPending: boolean;
}

export interface ReachFacts {
  readonly configuredChannels: readonly ConfiguredChannel[];
  readonly settings: RouteSettings;
  readonly findHealth: (channel: string) => ChannelHealth | null;
  readonly refusalAt: (channel: string, place: string) => string | null;
}

/** `session` null: a session that no rule matches. The terminal does not count: a person there needs no channel. */
export function findReachability(facts: ReachFacts, session: RoutedSession | null): Reachability {
  const remote = facts.configuredChannels.filter(isRemote);
  const found = remote.map((channel) => ({ id: channel.id, ...findChannelProblem(facts, channel, session) }));
  const channels = found.flatMap(({ id, problem }) => (problem === null ? [id] : []));
  if (channels.length > 0) return { channels, problem: null, isPending: false };
  const problem = found.map((each) => each.problem).join("; ") || "no channel is configured";
  return { channels, problem, isPending: found.some(({ isPending }) => isPending) };
}

/** The number of this session's chats that accept messages, as far as known. A connecting channel counts; the terminal does not. */
export function countReachablePlaces(facts: ReachFacts, session: RoutedSession): number {
  const isOpen = ({ configuredChannel: { id }, place }: ReturnType<typeof findRoutes>[number]): boolean =>
    ["connected", "starting"].includes(facts.findHealth(id)?.state ?? "starting") &&
    facts.refusalAt(id, place) === null;
  const remote = facts.configuredChannels.filter(isRemote);
  return findRoutes(remote, facts.settings, session).filter(isOpen).length;
}

function isRemote({ capabilities }: ConfiguredChannel): boolean {
  return capabilities.pace !== null;
}

export function listApproverNames(
  { settings: { people } }: Pick<ReachFacts, "settings">,
  id: string,
): string[] {
  const names = listApprovers(people, id).map(
    (identity) => findMembership(people, identity)?.name ?? identity,
  );
  if (names.length === 0 && hasApprover(people, id)) return [getDisplayName(LOCAL_IDENTITY)];
  return [...new Set(names)];
}

/** A failed or stopped channel stays so until someone acts; any other may recover. One place that accepts the prompt is enough. */
function findChannelProblem(
  facts: ReachFacts,
  channel: ConfiguredChannel,
  session: RoutedSession | null,
): Omit<Reachability, "channels"> {
  const { id } = channel;
  const places = findAnswerablePlaces(facts.settings, channel, session);
  if (typeof places === "string") return { problem: places, isPending: false };
  const health = facts.findHealth(id);
  switch (health?.state) {
    case "connected": {
      const refusals = places.map((place) => ({ place, reason: facts.refusalAt(id, place) }));
      if (refusals.some(({ reason }) => reason === null)) return { problem: null, isPending: false };
      const each = refusals.map(({ place, reason }) => `${id}, chat ${place}: ${reason ?? ""}`);
      return { problem: each.join("; "), isPending: false };
    }
    case "degraded":
    case "failed":
      return { problem: `${id}: ${health.reason}`, isPending: health.state === "degraded" };
    case "stopped":
      return { problem: `${id} is stopped`, isPending: false };
    case "starting":
    case undefined:
      return { problem: `${id} has not answered yet`, isPending: true };
  }
}

/** The channel's places for the session at which somebody may answer; or why there are none. */
function findAnswerablePlaces(
  settings: RouteSettings,
  channel: ConfiguredChannel,
  session: RoutedSession | null,
): readonly string[] | string {
  const { id, places, personAt } = channel;
  if (places.length === 0) return `${id} is not paired: run \`atlasbridge setup ${id}\``;
  if (listApprovers(settings.people, id).length === 0)
    return `nobody may answer over ${id}: run \`atlasbridge setup ${id}\``;
  const approvers = listApprovers(getPeopleFor(settings, session), id);
  if (approvers.length === 0) return `${id}: the routes leave no approver for this session`;
  const isAnswerable = (place: string): boolean => {
    const person = personAt?.(place) ?? null;
    return person === null || approvers.includes(person);
  };
  const answerable = places.filter(isAnswerable);
  const routed = session ? findRoutes([channel], settings, session).map(({ place }) => place) : answerable;
  if (answerable.length > 0 && routed.length === 0) return `${id}: no route sends this session there`;
  const left = routed.filter(isAnswerable);
  return left.length === 0 ? `${id}: nobody who may answer reads its chats` : left;
}
