/** Finds a tool's settings for one run, and adds our hooks to them. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { attempt } from "../../../model/data/attempt.js";
import { parseJson } from "../../../model/data/json.js";
import type { Environment } from "../../process/child-environment.js";
import type { SettingsPlace } from "../../adapter-format/compiled/compiled-hooks.js";
import { extractOption, type CommandLinePart } from "../../process/command-line.js";
import { addHooks, createHooksOverride, type HookAddress, type WantedHooks } from "./hook-settings.js";

export interface SettingsInstruction {
  readonly args: readonly string[];
  readonly environment: Environment;
  /** The tool may print this file in a command for the user to repeat. */
  readonly named?: NamedFile;
}

/** Once the tool has ended, the file must hold the settings that the user had given. */
export interface NamedFile {
  readonly file: string;
  readonly settings: unknown;
  readonly usersFile: string | null;
}

/** The files are readable only by the user. */
export interface SettingsWriter {
  readonly write: (content: object) => string;
  /** Returns the same folder for every run of the tool, which is kept, so it must hold no secret. */
  readonly writeFolder: (files: Readonly<Record<string, object>>) => string;
}

export interface UserSettings {
  readonly settings: unknown;
  addHooks(hooks: WantedHooks, address: HookAddress, writer: SettingsWriter): SettingsInstruction | null;
}

interface SettingsStart {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Environment;
}

/** Null when the user's settings cannot be read: the tool will report that. */
export function readUserSettings(
  place: SettingsPlace,
  parts: readonly CommandLinePart[],
  start: SettingsStart,
): UserSettings | null {
  switch (place.by) {
    case "option":
      return readFromOption(place.option, parts, start);
    case "variable":
      return readFromVariable(place, start);
    case "override":
      return readFromOverride(place, parts, start);
    case "plugin":
      return createPluginSettings(place.option, start);
  }
}

function readFromOption(
  option: string,
  parts: readonly CommandLinePart[],
  { cwd }: SettingsStart,
): UserSettings | null {
  const use = extractOption(parts, option);
  const settings = use && (use.value === null ? {} : readText(use.value, cwd));
  if (!use || settings === null) return null;
  const usersFile = use.value === null || isJson(use.value) ? null : resolve(cwd, use.value);
  return createFileSettings(settings, (file) => ({
    args: [option, file, ...use.others],
    environment: {},
    named: { file, settings, usersFile },
  }));
}

function isJson(value: string): boolean {
  return value.trimStart().startsWith("{");
}

function readText(value: string, cwd: string): unknown {
  return isJson(value) ? parseJson(value) : readSettings(resolve(cwd, value));
}

function readSettings(file: string): unknown {
  return parseJson(attempt(() => readFileSync(file, "utf8"), ""));
}

function readFromVariable(
  { variable, insteadOf }: Extract<SettingsPlace, { by: "variable" }>,
  { args, cwd, environment }: SettingsStart,
): UserSettings | null {
  const named = environment[variable];
  const file = named ? resolve(cwd, named) : findReplacedFile(insteadOf, environment);
  const settings = file !== null && existsSync(file) ? readSettings(file) : {};
  return settings === null
    ? null
    : createFileSettings(settings, (ownFile) => ({ args, environment: { [variable]: ownFile } }), HOOK_NAME);
}

/** `$NAME/…` is beside the file that the variable names, and then no other file counts. */
function findReplacedFile(files: readonly string[], environment: Environment): string | null {
  for (const file of files) {
    const [, name, rest = ""] = /^\$(\w+)\/(.+)$/.exec(file) ?? [];
    const beside = name === undefined ? undefined : environment[name];
    if (beside) return join(dirname(beside), rest);
    if (name === undefined && existsSync(file)) return file;
  }
  return null;
}

/** Shown on the tool's screen while a hook runs. */
const HOOK_NAME = "atlasbridge";

function createFileSettings(
  settings: unknown,
  using: (file: string) => SettingsInstruction,
  name?: string,
): UserSettings {
  return {
    settings,
    addHooks: (hooks, address, { write }) => {
      const merged = addHooks(settings, hooks, { ...address, ...(name !== undefined && { name }) });
      return merged && using(write(merged));
    },
  };
}

/** The user's own hooks in the same place would be numbered together with ours, so ours are not added. */
function readFromOverride(
  { options, key, trustedAs }: Extract<SettingsPlace, { by: "override" }>,
  parts: readonly CommandLinePart[],
  { args }: SettingsStart,
): UserSettings | null {
  const isHooks = (value: string): boolean => value.trimStart().startsWith(key);
  const [option = ""] = options;
  const own = parts.some(
    (part) => part.kind === "option" && options.includes(part.name) && part.values.some(isHooks),
  );
  if (own) return null;
  const addHooks: UserSettings["addHooks"] = ({ events }, { command }) => ({
    args: [option, createHooksOverride(key, trustedAs, events, command), ...args],
    environment: {},
  });
  return { settings: {}, addHooks };
}

/** Of two plugins with one name the tool takes the first. */
const PLUGIN = { name: "atlasbridge-run", version: "1.0.0", description: "Tells AtlasBridge what is asked." };
/** The command differs from run to run. Variables with our usual prefix do not reach a tool. */
const COMMAND_VARIABLE = "ATB_HOOK";

/** The tool keeps data for each folder of a plugin, so ours is always the same. A command that fails would deny the call. */
function createPluginSettings(option: string, { args }: SettingsStart): UserSettings {
  return {
    settings: {},
    addHooks: (hooks, address, { writeFolder }) => {
      const command = `eval "$${COMMAND_VARIABLE}" || true`;
      const settings = addHooks({}, hooks, { ...address, command });
      if (!settings) return null;
      const folder = writeFolder({ "plugin.json": PLUGIN, "hooks.json": settings });
      return { args: [option, folder, ...args], environment: { [COMMAND_VARIABLE]: address.command } };
    },
  };
}
