/** Settings of a tool, wherever its adapter file says that they may lie. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Environment } from "../../process/child-environment.js";

export interface SettingsFilePlace {
  readonly cwd: string;
  readonly environment: Environment;
}

/** What stands in those of these files that are there; null for one that cannot be read. Never throws. */
export function settingsTexts(files: readonly string[], place: SettingsFilePlace): (string | null)[] {
  return files.flatMap((file) => placesOf(file, place)).flatMap(textOf);
}

function placesOf(file: string, run: SettingsFilePlace): string[] {
  const place = expandPath(file, run);
  if (place === null) return [];
  if (!place.startsWith("/")) return foldersAbove(run.cwd).map((folder) => join(folder, place));
  return place.endsWith("/") ? filesIn(place) : [place];
}

/** With its `~/` or `$NAME/` replaced; null where the variable names nothing. */
export function expandPath(file: string, { cwd, environment }: SettingsFilePlace): string | null {
  if (file.startsWith("~/")) return join(environment["HOME"] || homedir(), file.slice(2));
  const [, name, rest = ""] = /^\$(\w+)(\/.*)?$/.exec(file) ?? [];
  if (name === undefined) return file;
  const named = environment[name];
  return named ? join(resolve(cwd, named), rest) : null;
}

function foldersAbove(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersAbove(above)];
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    // One that is there and cannot be listed is taken for a file, and cannot be read either.
    return existsSync(folder) ? [folder] : [];
  }
}

function textOf(file: string): (string | null)[] {
  try {
    return [readFileSync(file, "utf8")];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? [] : [null];
  }
}
