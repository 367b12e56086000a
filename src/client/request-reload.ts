/**
 * The hub keeps the environment that it was started with. So a reload carries this shell's values of the variables that the configuration
 * names; the hub uses them for nothing else.
 */
import { readConfigText } from "../config/edit.js";
import { parseConfig } from "../config/load.js";
import type { Paths } from "../config/paths.js";
import { listVariables } from "../config/secrets.js";
import { AtlasBridgeError } from "../model/errors.js";
import { channelSchemas } from "../plugins/channels/channel-schemas.js";
import type { HubCalls, ResultOf } from "../wire/messages.js";
import type { HubClient } from "./connect/meet-hub.js";

export type Reloaded = ResultOf<HubCalls, "hub.reload"> & {
  /** Names in the configuration that this shell has set, and that it has not: the hub keeps its own values of these. */
  readonly variables: { readonly set: readonly string[]; readonly unset: readonly string[] };
};

export async function requestReload(paths: Paths, hub: HubClient): Promise<Reloaded> {
  const names = listNames(paths);
  const set = names.filter((name) => process.env[name]);
  const variables = Object.fromEntries(set.map((name) => [name, process.env[name] ?? ""]));
  const result = await hub.call("hub.reload", set.length === 0 ? {} : { variables });
  return { ...result, variables: { set, unset: names.filter((name) => !set.includes(name)) } };
}

/** Empty for an invalid file: the hub refuses it with its own message. */
function listNames(paths: Paths): readonly string[] {
  try {
    return listVariables(parseConfig(readConfigText(paths.config), paths.config, channelSchemas));
  } catch (error) {
    if (error instanceof AtlasBridgeError) return [];
    throw error;
  }
}
