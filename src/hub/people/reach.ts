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
  /** Ids of connected channels that have a chat for the prompt and an approver. */
  readonly channels: readonly string[];
  /** Why nobody can be reached; null if someone can. */
  readonly problem: string | null;
  /** No channel is ready yet, but a suitable one is still connecting. */
  readonly isPending: boolean;
}

export interface ReachFacts {
  readonly configuredChannels: readonly ConfiguredChannel[];
  readonly settings: RouteSettings;
  readonly findHealth: (channel: string) => ChannelHealth | null;
  /** Why the last message to a place was not delivered; null if unknown or delivered. */
  readonly refusalAt: (channel: string, place: string) => string | null;
}

/** `session` null: a session that no rule matches. The terminal does not count: a person there needs no channel. */
export function findReachability(facts: ReachFacts, session: RoutedSession | null): Reachability {
  const { configuredChannels, settings, findHealth } = facts;
  const remote = configuredChannels.filter(({ capabilities }) => capabilities.pace !== null);
  const routes = session && findRoutes(configuredChannels, settings, session);
  const problems = remote.map((configuredChannel) => {
    const routed = routes
      ?.filter((route) => route.configuredChannel.id === configuredChannel.id)
      .map(({ place }) => place);
    return {
      id: configuredChannel.id,
      problem: describeProblem(facts, configuredChannel, session, routed ?? configuredChannel.places),
    };
  });
  const channels = problems.flatMap(({ id, problem }) => (problem === null ? [id] : []));
  if (channels.length > 0) return { channels, problem: null, isPending: false };
  const found = problems.map(({ problem }) => problem).join("; ");
  const isPending = problems.some(
    ({ id, problem }) => problem === describeStateProblem(id, findHealth(id)) && mayRecover(findHealth(id)),
  );
  return { channels, problem: found === "" ? "no channel is configured" : found, isPending };
}

/** The number of this session's chats that accept messages, as far as known. A connecting channel counts; the terminal does not. */
export function countReachablePlaces(
  { configuredChannels, settings, findHealth, refusalAt }: ReachFacts,
  session: RoutedSession,
): number {
  return findRoutes(configuredChannels, settings, session).filter(
    ({ configuredChannel: { id, capabilities }, place }) =>
      capabilities.pace !== null && !isDown(findHealth(id)) && refusalAt(id, place) === null,
  ).length;
}

function isDown(health: ChannelHealth | null): boolean {
  return health?.state === "degraded" || health?.state === "failed" || health?.state === "stopped";
}

/** Names of the people who may answer there. */
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

function describeProblem(
  { settings, findHealth, refusalAt }: ReachFacts,
  { id, places, personAt }: ConfiguredChannel,
  session: RoutedSession | null,
  routed: readonly string[],
): string | null {
  if (places.length === 0) return `${id}: deliver_to names no chat`;
  if (listApprovers(settings.people, id).length === 0) return `${id}: \`people\` lists no approver for it`;
  const approvers = listApprovers(getPeopleFor(settings, session), id);
  if (approvers.length === 0) return `${id}: the routes leave no approver for this session`;
  if (routed.length === 0) return `${id}: no route sends this session there`;
  const answerable = routed.filter((place) => {
    const person = personAt?.(place) ?? null;
    return person === null || approvers.includes(person);
  });
  if (answerable.length === 0) return `${id}: nobody who may answer reads its chats`;
  return describeStateProblem(id, findHealth(id)) ?? describePlaceProblem(id, answerable, refusalAt);
}

/** One place that accepts the prompt is enough. */
function describePlaceProblem(
  id: string,
  routed: readonly string[],
  refusalAt: ReachFacts["refusalAt"],
): string | null {
  const refusals = routed.map((place) => ({ place, reason: refusalAt(id, place) }));
  const open = refusals.some(({ reason }) => reason === null);
  return open
    ? null
    : refusals.map(({ place, reason }) => `${id}, chat ${place}: ${reason ?? ""}`).join("; ");
}

function describeStateProblem(id: string, health: ChannelHealth | null): string | null {
  switch (health?.state) {
    case "connected":
      return null;
    case "degraded":
    case "failed":
      return `${id}: ${health.reason}`;
    case "stopped":
      return `${id} is stopped`;
    case "starting":
    case undefined:
      return `${id} has not answered yet`;
  }
}

/** A failed or stopped channel stays so until someone acts. */
function mayRecover(health: ChannelHealth | null): boolean {
  return health?.state !== "failed" && health?.state !== "stopped";
}
