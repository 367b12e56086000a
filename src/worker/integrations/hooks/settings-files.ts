import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Environment } from "../../process/child-environment.js";

export interface SettingsFilePlace {
  readonly cwd: string;
  readonly environment: Environment;
}

/** The existing files; null for one that cannot be read. Never throws. */
export function readSettingsTexts(files: readonly string[], place: SettingsFilePlace): (string | null)[] {
  return files.flatMap((file) => listPlaces(file, place)).flatMap(readText);
}

function listPlaces(file: string, run: SettingsFilePlace): string[] {
  const place = expandPath(file, run);
  if (place === null) return [];
  if (!place.startsWith("/")) return listFoldersAbove(run.cwd).map((folder) => join(folder, place));
  return place.endsWith("/") ? listFiles(place) : [place];
}

export function expandPath(file: string, { cwd, environment }: SettingsFilePlace): string | null {
  if (file.startsWith("~/")) return join(environment["HOME"] || homedir(), file.slice(2));
  const [, name, rest = ""] = /^\$(\w+)(\/.*)?$/.exec(file) ?? [];
  if (name === undefined) return file;
  const named = environment[name];
  return named ? join(resolve(cwd, named), rest) : null;
}

function listFoldersAbove(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...listFoldersAbove(above)];
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    // Such a folder counts as an unreadable file.
    return existsSync(folder) ? [folder] : [];
  }
}

function readText(file: string): (string | null)[] {
  try {
    return [readFileSync(file, "utf8")];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? [] : [null];
  }
}
