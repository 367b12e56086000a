/** Checks the configuration as the hub and agents would read it, with the same messages. */
import { existsSync } from "node:fs";
import { loadConfig, readSections, type LoadOptions } from "../config/load.js";
import { readConfigSource } from "../config/stored/config-text.js";
import type { Config } from "../config/schema.js";
import { AtlasBridgeError } from "../model/errors.js";
import { readReferences } from "../config/tool-environment.js";
import { listSecretFiles } from "../config/secrets.js";
import { reportError, passCheck, warnCheck, type CheckFinding } from "./check.js";

export interface ConfigReading {
  readonly file: string;
  readonly isThere: boolean;
  readonly config: Config | null;
  readonly error: unknown;
  /** What keeps agents from being started, or null. */
  readonly agentProblem: unknown;
  readonly secretFiles: readonly string[];
  /** Variables that the configuration names and this shell has not. */
  readonly unset: readonly string[];
}

export function readConfiguration(options: Omit<LoadOptions, "secrets">): ConfigReading {
  const { file } = options;
  const isThere = existsSync(file);
  let files: readonly string[] = [];
  const unset = readReferences(file).filter((name) => !options.env[name]);
  try {
    files = listSecretFiles(loadConfig({ ...options, secrets: "leave" }), file);
    const config = loadConfig({ ...options, secrets: "resolve" });
    const { agentProblem } = readSections(readConfigSource(file), file, options.channels);
    return { file, isThere, config, error: null, agentProblem, secretFiles: files, unset };
  } catch (error) {
    return { file, isThere, config: null, error, agentProblem: null, secretFiles: files, unset };
  }
}

export function checkConfiguration(
  { file, isThere, config, error, agentProblem, unset }: ConfigReading,
  known: readonly string[],
  hubRuns = false,
): CheckFinding[] {
  const isSecretMissing = error instanceof AtlasBridgeError && error.code === "ATB_CONFIG_SECRET_MISSING";
  if (hubRuns && isSecretMissing && unset.length > 0)
    return [
      warnCheck(
        "config",
        `${file}: this shell has no ${unset.join(", ")}; the running hub may have it`,
        "To check the rest, run it in a shell that has it.",
      ),
    ];
  if (!config) return [reportError("config", error)];
  if (agentProblem !== null) return [reportError("config", agentProblem)];
  if (!isThere)
    return [warnCheck("config", `${file} does not exist, so prompts are not relayed`, adviseAdding(known))];
  const channels = Object.keys(config.channels);
  if (channels.length === 0)
    return [warnCheck("config", `${file}: valid, but it configures no channel`, adviseAdding(known))];
  return [
    passCheck("config", `${file}: valid; ${channels.join(", ")}`),
    checkPeople(config, adviseAdding(channels)),
  ];
}

/** `withheld`: variables that the configuration refers to. `kept`: those of them that tools still get. */
export function checkSecrets(withheld: readonly string[], kept: readonly string[]): CheckFinding[] {
  if (kept.length > 0)
    return [
      warnCheck(
        "secrets",
        `every tool receives ${kept.join(", ")}`,
        "Remove them from environment.keep_in_tools.",
      ),
    ];
  return withheld.length > 0 ? [passCheck("secrets", `no tool receives ${withheld.join(", ")}`)] : [];
}

/** People of this machine only (`cli:local`) may answer anyway. */
function checkPeople({ people, channels }: Config, action: string): CheckFinding {
  const isReached = (identity: string): boolean =>
    Object.keys(channels).includes(identity.split(":")[0] ?? "");
  const approvers = people.filter(
    ({ role, identities }) => role === "approver" && identities.some((identity) => isReached(identity)),
  );
  if (approvers.length > 0)
    return passCheck("people", `${approvers.map(({ name }) => name).join(", ")} may answer`);
  return warnCheck("people", "nobody may answer from a channel, so nothing is sent", action);
}

function adviseAdding(channels: readonly string[]): string {
  return `Run \`atlasbridge setup ${channels.join("|")}\`.`;
}
