/**
 * The hub keeps the environment that it was started with. So a reload carries this shell's values of the variables that the configuration
 * names; the hub uses them for nothing else.
 */
import type { Paths } from "../config/paths.js";
import { readReferences } from "../config/tool-environment.js";
import type { HubCalls, ResultOf } from "../wire/messages.js";
import type { HubClient } from "./connect/meet-hub.js";

export type Reloaded = ResultOf<HubCalls, "hub.reload"> & {
  /** Names in the configuration that this shell has set, and that it has not: the hub keeps its own values of these. */
  readonly variables: { readonly set: readonly string[]; readonly unset: readonly string[] };
};

export async function requestReload(paths: Paths, hub: HubClient): Promise<Reloaded> {
  const names = readReferences(paths.config);
  const set = names.filter((name) => process.env[name]);
  const variables = Object.fromEntries(set.map((name) => [name, process.env[name] ?? ""]));
  const result = await hub.call("hub.reload", set.length === 0 ? {} : { variables });
  return { ...result, variables: { set, unset: names.filter((name) => !set.includes(name)) } };
}
