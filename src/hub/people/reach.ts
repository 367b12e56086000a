/** Whom a question can reach at this moment, by what the channels have proved. Pure. */
import type { ChannelHealth } from "../../sdk/channel.js";
import { LOCAL_IDENTITY } from "../../model/ids.js";
import { approversOn, hasApprover, displayName, membershipOf } from "./people.js";
import {
  peopleFor,
  routesOf,
  type RoutedSession,
  type RouteSettings,
  type ConfiguredChannel,
} from "./routing.js";

export interface Reachability {
  /** Ids of the channels that are connected, and have a chat for the question and an approver. */
  readonly channels: readonly string[];
  /** Why there is none; null while there is one. */
  readonly problem: string | null;
  /** There is none so far, and one that would do is still connecting, or again. */
  readonly isPending: boolean;
}

export interface ReachFacts {
  readonly configuredChannels: readonly ConfiguredChannel[];
  readonly settings: RouteSettings;
  readonly healthOf: (channel: string) => ChannelHealth | null;
  /** Why the last that was sent to a place did not get there; null as far as anybody knows. */
  readonly refusalAt: (channel: string, place: string) => string | null;
}

/** `session`: null for a session that no rule fits. The terminal is nobody's chat: whoever sits there needs no channel. */
export function findReachability(facts: ReachFacts, session: RoutedSession | null): Reachability {
  const { configuredChannels, settings, healthOf } = facts;
  const remote = configuredChannels.filter(({ capabilities }) => capabilities.pace !== null);
  const routes = session && routesOf(configuredChannels, settings, session);
  const problems = remote.map((configuredChannel) => {
    const routed = routes
      ?.filter((route) => route.configuredChannel.id === configuredChannel.id)
      .map(({ place }) => place);
    return {
      id: configuredChannel.id,
      problem: problemOf(facts, configuredChannel, session, routed ?? configuredChannel.places),
    };
  });
  const channels = problems.flatMap(({ id, problem }) => (problem === null ? [id] : []));
  if (channels.length > 0) return { channels, problem: null, isPending: false };
  const found = problems.map(({ problem }) => problem).join("; ");
  const isPending = problems.some(
    ({ id, problem }) => problem === stateProblem(id, healthOf(id)) && isMoving(healthOf(id)),
  );
  return { channels, problem: found === "" ? "no channel is configured" : found, isPending };
}

/** How many chats of this session take messages, as far as is known. A channel that is still connecting counts; the terminal does not. */
export function countTaking(
  { configuredChannels, settings, healthOf, refusalAt }: ReachFacts,
  session: RoutedSession,
): number {
  return routesOf(configuredChannels, settings, session).filter(
    ({ configuredChannel: { id, capabilities }, place }) =>
      capabilities.pace !== null && !isDown(healthOf(id)) && refusalAt(id, place) === null,
  ).length;
}

function isDown(health: ChannelHealth | null): boolean {
  return health?.state === "degraded" || health?.state === "failed" || health?.state === "stopped";
}

/** Names of those who may answer there. */
export function approverNames({ settings: { people } }: Pick<ReachFacts, "settings">, id: string): string[] {
  const names = approversOn(people, id).map((identity) => membershipOf(people, identity)?.name ?? identity);
  if (names.length === 0 && hasApprover(people, id)) return [displayName(LOCAL_IDENTITY)];
  return [...new Set(names)];
}

function problemOf(
  { settings, healthOf, refusalAt }: ReachFacts,
  { id, places, personAt }: ConfiguredChannel,
  session: RoutedSession | null,
  routed: readonly string[],
): string | null {
  if (places.length === 0) return `${id}: no chat is named to deliver to`;
  if (approversOn(settings.people, id).length === 0) return `${id}: nobody in \`people\` may answer there`;
  const approvers = approversOn(peopleFor(settings, session), id);
  if (approvers.length === 0) return `${id}: the routes leave nobody who may answer this session there`;
  if (routed.length === 0) return `${id}: the routes send this session nowhere there`;
  const answerable = routed.filter((place) => {
    const person = personAt?.(place) ?? null;
    return person === null || approvers.includes(person);
  });
  if (answerable.length === 0) return `${id}: only people who may not answer see its chats`;
  return stateProblem(id, healthOf(id)) ?? placeProblem(id, answerable, refusalAt);
}

/** One place that takes the question is enough. */
function placeProblem(
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

function stateProblem(id: string, health: ChannelHealth | null): string | null {
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

/** A channel that failed does so until somebody changes something. */
function isMoving(health: ChannelHealth | null): boolean {
  return health?.state !== "failed" && health?.state !== "stopped";
}
