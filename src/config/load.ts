import type * as v from "valibot";
import { AtlasBridgeError } from "../model/errors.js";
import { buildConfigSchema, type Config } from "./schema.js";
import { resolveSecrets } from "./secrets.js";
import { readConfigSource } from "./stored/config-text.js";
import { deepFreeze } from "./stored/deep-freeze.js";
import { createProblemError, parseSections, type SectionProblem } from "./yaml-file.js";

export interface LoadOptions {
  readonly file: string;
  readonly channels: Readonly<Record<string, v.GenericSchema>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Workers read no secrets. */
  readonly secrets: "resolve" | "leave";
}

/** A missing file gives the default configuration. Errors: ATB_CONFIG_INVALID, ATB_CONFIG_SECRET_MISSING, ATB_FILE_DENIED. */
export function loadConfig(options: LoadOptions): Config {
  const checked = parseConfig(readConfigSource(options.file), options.file, options.channels);
  const value = options.secrets === "resolve" ? resolveSecrets(checked, options) : checked;
  return deepFreeze(value) as Config;
}

export interface ReadConfig {
  /** With the defaults of sections in which there is a mistake. */
  readonly config: Config;
  /** What a hub would be refused for, or null. */
  readonly hubProblem: AtlasBridgeError | null;
  /** What is wrong in the sections that say how agents are started, or may belong there; or null. */
  readonly agentProblem: AtlasBridgeError | null;
}

/** No hub needs these: a wrong value there stops the commands that do. */
const AGENT_SECTIONS = ["adapters", "adapters.acp", "exec"];
const AGENT_HINT = "Correct it: without it nobody knows how agents may be started.";

/** The sections of a text, without secrets. Errors: ATB_CONFIG_INVALID where it is no YAML. */
export function readSections(text: string, file: string, channels: LoadOptions["channels"]): ReadConfig {
  const code = "ATB_CONFIG_INVALID";
  const { value: config, problems }: { value: Config; problems: readonly SectionProblem[] } = parseSections(
    text,
    file,
    buildConfigSchema(channels),
    { code, findSection: (keys) => keys.slice(0, keys[0] === "adapters" ? 2 : 1) },
  );
  const isOfAgents = ({ section }: SectionProblem): boolean => AGENT_SECTIONS.includes(section.join("."));
  const ofAgents = problems.filter((problem) => problem.isMisplaced || isOfAgents(problem));
  const others = problems.filter((problem) => problem.isMisplaced || !isOfAgents(problem));
  return {
    config,
    hubProblem:
      others.length > 0 ? createProblemError(code, others) : findDuplicateIdentity(config.people, file),
    agentProblem: ofAgents.length > 0 ? createProblemError(code, ofAgents, AGENT_HINT) : null,
  };
}

/** As a hub reads it, without secrets: a wrong value in a section of agents is no problem of the hub's. Errors: ATB_CONFIG_INVALID. */
export function parseConfig(text: string, file: string, channels: LoadOptions["channels"]): Config {
  const { config, hubProblem } = readSections(text, file, channels);
  if (hubProblem !== null) throw hubProblem;
  return config;
}

/** The role of an identity with two people would be ambiguous. */
function findDuplicateIdentity(people: Config["people"], file: string): AtlasBridgeError | null {
  const seen = new Map<string, string>();
  for (const { name, identities } of people) {
    for (const identity of identities) {
      const other = seen.get(identity);
      if (other !== undefined)
        return new AtlasBridgeError(
          "ATB_CONFIG_INVALID",
          `${file}: "${identity}" is listed for ${other} and for ${name}`,
          { hint: "Each identity belongs to one person." },
        );
      seen.set(identity, name);
    }
  }
  return null;
}
