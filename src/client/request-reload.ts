/**
 * The hub keeps the environment that it was started with. So `hub reload`, `setup` and a pairing carry this shell's values of the variables that the configuration
 * names; the hub uses them for nothing else. `channel test` carries them for its one query; no other command makes the hub keep them.
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
  const variables = readVariables(paths);
  const [set, unset] = [
    Object.keys(variables),
    readReferences(paths.config).filter((name) => !variables[name]),
  ];
  const result = await hub.call("hub.reload", set.length === 0 ? {} : { variables });
  return { ...result, variables: { set, unset } };
}

/** This shell's values of the variables that the configuration names. */
export function readVariables({ config }: Paths): Readonly<Record<string, string>> {
  const values = readReferences(config).map((name) => [name, process.env[name] ?? ""] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== ""));
}
