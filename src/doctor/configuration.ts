/** The configuration as the hub would read it: same checks, same words. */
import { existsSync } from "node:fs";
import { loadConfig, type LoadOptions } from "../config/load.js";
import type { Config } from "../config/schema.js";
import { secretFiles } from "../config/secrets.js";
import { failedCheck, passedCheck, warn, type CheckFinding } from "./check.js";

export interface ConfigReading {
  readonly file: string;
  readonly isThere: boolean;
  /** With its secrets; null where it cannot be used. */
  readonly config: Config | null;
  readonly error: unknown;
  /** Files that it takes secrets from. */
  readonly secretFiles: readonly string[];
}

export function readConfiguration(options: Omit<LoadOptions, "secrets">): ConfigReading {
  const { file } = options;
  const isThere = existsSync(file);
  let files: readonly string[] = [];
  try {
    files = secretFiles(loadConfig({ ...options, secrets: "leave" }), file);
    const config = loadConfig({ ...options, secrets: "resolve" });
    return { file, isThere, config, error: null, secretFiles: files };
  } catch (error) {
    return { file, isThere, config: null, error, secretFiles: files };
  }
}

/** `known`: the channels that there are. */
export function checkConfiguration(
  { file, isThere, config, error }: ConfigReading,
  known: readonly string[],
): CheckFinding[] {
  if (!config) return [failedCheck("config", error)];
  if (!isThere)
    return [warn("config", `${file}: there is none, so nobody is asked anywhere else`, add(known))];
  const channels = Object.keys(config.channels);
  if (channels.length === 0) return [warn("config", `${file}: valid, but it names no channel`, add(known))];
  return [
    passedCheck("config", `${file}: valid; ${channels.join(", ")}`),
    checkPeople(config, add(channels)),
  ];
}

/** `withheld` and `kept` are names of variables: what the configuration refers to, and what of it tools get all the same. */
export function checkSecrets(withheld: readonly string[], kept: readonly string[]): CheckFinding[] {
  if (kept.length > 0)
    return [
      warn("secrets", `every tool gets ${kept.join(", ")}`, "Take them out of environment.keep_in_tools."),
    ];
  return withheld.length > 0 ? [passedCheck("secrets", `no tool gets ${withheld.join(", ")}`)] : [];
}

/** Approvers who can be reached from here only (`cli:local`) do not count: that one may answer anyway. */
function checkPeople({ people, channels }: Config, action: string): CheckFinding {
  const isReached = (identity: string): boolean =>
    Object.keys(channels).includes(identity.split(":")[0] ?? "");
  const approvers = people.filter(
    ({ role, identities }) => role === "approver" && identities.some((identity) => isReached(identity)),
  );
  if (approvers.length > 0)
    return passedCheck("people", `${approvers.map(({ name }) => name).join(", ")} may answer`);
  return warn("people", "nobody may answer from a channel, so nothing is sent there", action);
}

function add(channels: readonly string[]): string {
  return `Run \`atlasbridge channel add ${channels.join("|")}\`.`;
}
