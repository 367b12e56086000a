/** `channel list`: the configured channels and the running hub's view of them. Starts no hub. */
import { readConfigText } from "../../config/edit.js";
import { parseConfig } from "../../config/load.js";
import { resolvePaths, type Paths } from "../../config/paths.js";
import type { Config, Person } from "../../config/schema.js";
import { channelSchemas } from "../../plugins/channels/channel-schemas.js";
import { askFoundHub } from "../connect/meet-hub.js";

export interface ListedChannel {
  readonly channel: string;
  readonly places: readonly string[];
  readonly approvers: readonly string[];
  readonly viewers: readonly string[];
  /** The hub's state of it with the reason; null if no hub is running or it does not know the channel yet. */
  readonly state: string | null;
}

/** Errors: ATB_CONFIG_INVALID, ATB_HUB_IMPOSTOR, ATB_HUB_SILENT. */
export async function listChannels(): Promise<ListedChannel[]> {
  const paths = resolvePaths();
  const config = readConfig(paths);
  const states = await readStates(paths);
  return Object.entries(config.channels).map(([channel, settings]) => ({
    channel,
    places: readPlaces(settings),
    approvers: listPeopleWithRole(config, channel, "approver"),
    viewers: listPeopleWithRole(config, channel, "viewer"),
    state: states.get(channel) ?? null,
  }));
}

/** As it is written, without secrets. Errors: ATB_CONFIG_INVALID. */
export function readConfig({ config }: Paths): Config {
  return parseConfig(readConfigText(config), config, channelSchemas);
}

async function readStates(paths: Paths): Promise<Map<string, string>> {
  const { channels = [] } = (await askFoundHub(paths, (hub) => hub.call("hub.status", {}))) ?? {};
  return new Map(
    channels.map(({ id, state, reason }) => [id, reason === null ? state : `${state}: ${reason}`]),
  );
}

export function readPlaces(settings: unknown): string[] {
  const { deliver_to = [] } = (settings ?? {}) as { readonly deliver_to?: readonly unknown[] };
  return deliver_to.map(String);
}

export function listPeopleWithRole(
  { people }: Pick<Config, "people">,
  channel: string,
  role: Person["role"],
): string[] {
  return people
    .filter(
      (person) => person.role === role && person.identities.some((each) => each.startsWith(`${channel}:`)),
    )
    .map(({ name }) => name);
}
