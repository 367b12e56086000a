import { parseConfig, readSections, type ReadConfig } from "../../config/load.js";
import type { Paths } from "../../config/paths.js";
import type { Config } from "../../config/schema.js";
import { readConfigSource } from "../../config/stored/config-text.js";
import { deepFreeze } from "../../config/stored/deep-freeze.js";
import { AtlasBridgeError } from "../../model/errors.js";
import type { TerminalExit } from "../../worker/process/terminal.js";
import { channelSchemas } from "../../plugins/channels/channel-schemas.js";
import { quoteShellWord } from "../../safety/shell-word.js";
import type { RunToolOptions } from "./run-tool-options.js";
import type { SessionLink } from "./relay/connect-session.js";

/** The time for the hub to learn that the session ended; otherwise it finds out later. */
const GOODBYE_MS = 1500;

export interface WorkerConfig {
  readonly config: Config;
  /** Why a hub could not read it, or null. */
  readonly problem: string | null;
}

/** A broken configuration must not prevent the tool's start; it is reported, and prompts are not relayed. */
export function readConfig(paths: Paths): WorkerConfig & Pick<ReadConfig, "agentProblem"> {
  const { config: file } = paths;
  try {
    const { config, hubProblem, agentProblem } = readSections(readConfigSource(file), file, channelSchemas);
    return { config: deepFreeze(config) as Config, problem: hubProblem?.message ?? null, agentProblem };
  } catch (error) {
    if (!(error instanceof AtlasBridgeError)) throw error;
    return { config: parseConfig("", file, channelSchemas), problem: error.message, agentProblem: error };
  }
}

/** The same for agents, which may be turned off or limited there. Errors: ATB_CONFIG_INVALID, ATB_FILE_DENIED. */
export function readAgentConfig(paths: Paths): WorkerConfig {
  const { agentProblem, ...read } = readConfig(paths);
  if (agentProblem !== null) throw agentProblem;
  return read;
}

/** Warns that defaults replace what is broken in a configuration. Null: nothing is. */
export function describeSettings(broken: string | null, isRelayed: boolean): string | null {
  if (broken === null) return null;
  const line = "atlasbridge: the defaults stand for the part of the configuration that has mistakes";
  return isRelayed ? line : `${line}: ${broken}`;
}

/** The words after `atlasbridge run` that continue the session with the flags of this run; `resume`: the tool's own command. */
export function addRunFlags(
  { label, adapter, ask, hooks, isolate, relayRequired }: RunToolOptions,
  resume: string,
): string {
  const flags = [
    ...(label === null ? [] : ["--label", label]),
    ...(adapter === null ? [] : ["--adapter", adapter]),
    ...(ask ? ["--ask"] : []),
    ...(hooks ? [] : ["--no-hooks"]),
    ...(isolate ? ["--isolate"] : []),
    ...(relayRequired ? ["--relay-required"] : []),
  ];
  return [...flags.map(quoteShellWord), resume].join(" ");
}

/** `resume`: what continues the tool's session, if it printed a command. */
export async function sayGoodbye(
  link: SessionLink | null,
  exit: TerminalExit,
  resume: string | null = null,
): Promise<void> {
  if (!link) return;
  let timer: NodeJS.Timeout | undefined;
  // Keeps the process alive: otherwise it would exit before the tool's exit code is set.
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, GOODBYE_MS)));
  await Promise.race([link.end(exit, resume), late]);
  clearTimeout(timer);
}
