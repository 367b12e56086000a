/** Where a tool takes the settings of one run from: how ours get there, beside what its user has there. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Environment } from "../../process/child-environment.js";
import type { SettingsPlace } from "../../adapter-format/compiled/compiled-hooks.js";
import { takeOption, type CommandLinePart } from "../../process/command-line.js";
import { hooksOverride } from "./hook-override.js";
import { withHooks, type HookAddress, type WantedHooks } from "./hook-settings.js";

/** How the tool is started so that it calls us. */
export interface SettingsInstruction {
  readonly args: readonly string[];
  /** What its environment needs besides. */
  readonly environment: Environment;
  /** A file that the tool may name in what it prints at its end, as part of a command to be typed again. */
  readonly named?: NamedFile;
}

/** What must stand in the file once the tool has ended: what its user had given in its place. */
export interface NamedFile {
  readonly file: string;
  readonly settings: unknown;
  /** Where the user has these settings in a file. */
  readonly usersFile: string | null;
}

export interface UsersPlace {
  /** What the user has there. */
  readonly settings: unknown;
  /** Null when hooks cannot be added to it. `write` keeps a file for as long as the run. */
  tell(
    hooks: WantedHooks,
    address: HookAddress,
    write: (content: object) => string,
  ): SettingsInstruction | null;
}

interface Start {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Environment;
}

/** Null where what the user has there cannot be read: the tool will say so. */
export function usersPlace(
  place: SettingsPlace,
  parts: readonly CommandLinePart[],
  start: Start,
): UsersPlace | null {
  switch (place.by) {
    case "option":
      return ofOption(place.option, parts, start);
    case "variable":
      return ofVariable(place, start);
    case "override":
      return ofOverride(place, parts, start);
  }
}

function ofOption(option: string, parts: readonly CommandLinePart[], { cwd }: Start): UsersPlace | null {
  const use = takeOption(parts, option);
  const settings = use && (use.value === null ? {} : parsed(() => textOf(use.value ?? "", cwd)));
  if (!use || settings === null) return null;
  const usersFile = use.value === null || isJson(use.value) ? null : resolve(cwd, use.value);
  return inFile(settings, (file) => ({
    args: [option, file, ...use.others],
    environment: {},
    named: { file, settings, usersFile },
  }));
}

function isJson(value: string): boolean {
  return value.trimStart().startsWith("{");
}

/** JSON, or a file of it. */
function textOf(value: string, cwd: string): string {
  return isJson(value) ? value : readFileSync(resolve(cwd, value), "utf8");
}

function ofVariable(
  { variable, insteadOf }: Extract<SettingsPlace, { by: "variable" }>,
  { args, cwd, environment }: Start,
): UsersPlace | null {
  const named = environment[variable];
  const file = named ? resolve(cwd, named) : fileInstead(insteadOf, environment);
  const settings = file !== null && existsSync(file) ? parsed(() => readFileSync(file, "utf8")) : {};
  return settings === null
    ? null
    : inFile(settings, (ours) => ({ args, environment: { [variable]: ours } }), HOOK_NAME);
}

/** `$NAME/…`: beside the file that a variable names; where that is set no other counts. */
function fileInstead(files: readonly string[], environment: Environment): string | null {
  for (const file of files) {
    const [, name, rest = ""] = /^\$(\w+)\/(.+)$/.exec(file) ?? [];
    const beside = name === undefined ? undefined : environment[name];
    if (beside) return join(dirname(beside), rest);
    if (name === undefined && existsSync(file)) return file;
  }
  return null;
}

/** On the tool's screen, for as long as a hook runs. */
const HOOK_NAME = "atlasbridge";

function inFile(settings: unknown, using: (file: string) => SettingsInstruction, name?: string): UsersPlace {
  return {
    settings,
    tell: (hooks, address, write) => {
      const merged = withHooks(settings, hooks, { ...address, ...(name !== undefined && { name }) });
      return merged && using(write(merged));
    },
  };
}

/** Hooks that the user gives there by themselves would be numbered with ours. */
function ofOverride(
  { options, key, trustedAs }: Extract<SettingsPlace, { by: "override" }>,
  parts: readonly CommandLinePart[],
  { args }: Start,
): UsersPlace | null {
  const isHooks = (value: string): boolean => value.trimStart().startsWith(key);
  const [option = ""] = options;
  const own = parts.some(
    (part) => part.kind === "option" && options.includes(part.name) && part.values.some(isHooks),
  );
  if (own) return null;
  const tell: UsersPlace["tell"] = ({ events }, { command }) => ({
    args: [option, hooksOverride(key, trustedAs, events, command), ...args],
    environment: {},
  });
  return { settings: {}, tell };
}

function parsed(read: () => string): unknown {
  try {
    return JSON.parse(read()) as unknown;
  } catch {
    return null;
  }
}
