/** Where notices go: all places of every channel with an approver, or those that a routing rule names. */
import type { Config } from "../../config/schema.js";
import type { Channel, ChannelCapabilities } from "../../sdk/channel.js";
import { LOCAL_IDENTITY, type Identity } from "../../model/ids.js";
import type { Delegation } from "../../model/answer/delegation.js";
import { getDisplayName, hasApprover, findMembership, type People } from "./people.js";

export interface ConfiguredChannel {
  readonly id: string;
  readonly capabilities: ChannelCapabilities;
  readonly places: readonly string[];
  readonly personAt?: (place: string) => Identity | null;
  readonly channel: Channel;
}

export interface DeliveryRoute {
  readonly configuredChannel: ConfiguredChannel;
  readonly place: string;
}

/** The attributes by which a rule matches a session, compared literally. */
export interface RoutedSession {
  readonly tool: string;
  readonly label: string | null;
  readonly cwd: string;
  /** The classes of the prompt; absent for messages about the session alone, which no rule for classes matches. */
  readonly classes?: readonly string[];
  /** Nothing else here is known. */
  readonly isUnknown?: boolean;
}

export type RoutingRule = Config["routes"][number];
export type RouteSettings = Pick<Config, "people" | "routes"> & {
  readonly delegations?: readonly Delegation[];
};

/** Channels that may send notices, with the chats that may get them; the others are used for pairing only. */
export function listSendingChannels(
  configuredChannels: readonly ConfiguredChannel[],
  people: People,
): ConfiguredChannel[] {
  return configuredChannels
    .map((each) => ({ ...each, places: each.places.filter((place) => !isAbandoned(each, place, people)) }))
    .filter(({ id, places }) => places.length > 0 && hasApprover(people, id));
}

export const ABANDONED = "it belongs to nobody in `people`, so it gets nothing";

/** Whether the place is the private chat of somebody who is not, or no longer, in `people`. It gets nothing. */
export function isAbandoned(
  { personAt }: Pick<ConfiguredChannel, "personAt">,
  place: string,
  people: People,
): boolean {
  const reader = personAt?.(place) ?? null;
  return reader !== null && findMembership(people, reader) === null;
}

export function findRoutes(
  configuredChannels: readonly ConfiguredChannel[],
  settings: RouteSettings,
  session: RoutedSession,
): DeliveryRoute[] {
  const { routes } = settings;
  return listSendingChannels(configuredChannels, getPeopleFor(settings, session)).flatMap(
    (configuredChannel) =>
      configuredChannel.places
        // The terminal is no chat: prompts always show there.
        .filter(
          (place) =>
            configuredChannel.capabilities.pace === null ||
            isRoutedTo(routes, session, `${configuredChannel.id}:${place}`),
        )
        .map((place) => ({ configuredChannel, place })),
  );
}

export function isRoutedTo(routes: readonly RoutingRule[], session: RoutedSession, chat: string): boolean {
  return listRules(routes, session).every(({ deliver_to: chats }) => chats?.includes(chat) ?? true);
}

/** The people and their roles for this session: a rule may turn approvers into viewers. */
export function getPeopleFor({ people, routes }: RouteSettings, session: RoutedSession | null): People {
  const rules = session === null ? [] : listRules(routes, session);
  const mayApprove = (name: string): boolean =>
    rules.every(({ approvers }) => approvers?.includes(name) ?? true);
  return people.map((person) => (mayApprove(person.name) ? person : { ...person, role: "viewer" }));
}

/** The people for one prompt: where a rule names its approvers, nobody else is one, not even the local user. */
export function limitApprovers(people: People, names: readonly string[] | undefined): People {
  if (names === undefined) return people;
  const limited = people.map((person) =>
    names.includes(person.name) ? person : { ...person, role: "viewer" as const },
  );
  const isLocalListed = people.some(({ identities }) => identities.includes(LOCAL_IDENTITY));
  const local = {
    name: getDisplayName(LOCAL_IDENTITY),
    identities: [LOCAL_IDENTITY],
    role: "viewer" as const,
  };
  return isLocalListed ? limited : [...limited, local];
}

/** Whether a notice there can be answered. False if its only reader may not answer. `people`: with their roles for the session. */
export function isAnswerableAt(
  configuredChannel: Pick<ConfiguredChannel, "personAt"> | undefined,
  place: string,
  people: People,
): boolean {
  const reader = configuredChannel?.personAt?.(place) ?? null;
  return reader === null || findMembership(people, reader)?.role === "approver";
}

/** The first rule that fits; all of them where nothing is known of the session, so that another program cannot widen who may answer. */
function listRules(
  routes: readonly RoutingRule[],
  { tool, label, cwd, classes: own = [], isUnknown = false }: RoutedSession,
): readonly RoutingRule[] {
  if (isUnknown) return routes;
  const fits = ({ classes, tools, labels, paths }: RoutingRule): boolean =>
    (classes?.some((each) => own.includes(each)) ?? true) &&
    matchesName(tools, tool) &&
    matchesName(labels, label) &&
    (paths?.some((path) => isWithin(path, cwd)) ?? true);
  const rule = routes.find(fits);
  return rule ? [rule] : [];
}

/** A rule without this attribute matches every session. */
function matchesName(named: readonly string[] | undefined, word: string | null): boolean {
  return named === undefined || (word !== null && named.includes(word));
}

function isWithin(folder: string, path: string): boolean {
  const root = folder.replace(/\/{1,8}$/, "");
  return path === root || path.startsWith(`${root}/`);
}

/** Describes names in rules that nobody has, so that a rule does not silently send prompts nowhere. Null: all are fine. */
export function describeRouteProblem(
  { people, routes }: RouteSettings,
  configuredChannels: readonly ConfiguredChannel[],
): string | null {
  const places = new Set(
    configuredChannels.flatMap(({ id, places }) => places.map((place) => `${id}:${place}`)),
  );
  const lost = routes.flatMap(({ deliver_to = [] }) => deliver_to).find((place) => !places.has(place));
  if (lost !== undefined) return `routes: deliver_to names ${lost}, which is in no channel's deliver_to`;
  const names = new Set(people.map(({ name }) => name));
  const nobody = routes.flatMap(({ approvers = [] }) => approvers).find((name) => !names.has(name));
  return nobody === undefined
    ? null
    : `routes: approvers names ${JSON.stringify(nobody)}, who is not in \`people\``;
}
