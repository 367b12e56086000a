/** Whether a tool takes a proxy over from its own settings: then what it calls over HTTP may go there, whatever our environment says. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { Environment } from "../worker/transport/child-environment.js";

export interface Start {
  readonly cwd: string;
  readonly environment: Environment;
}

/**
 * True where one of these files (`environment_files` of an adapter) names a proxy, or hosts without one, or cannot be read: when in
 * doubt, there is a proxy. Never throws.
 */
export function settingsNameProxy(files: readonly string[], start: Start): boolean {
  return files.flatMap((file) => placesOf(file, start)).some(fileNamesProxy);
}

/** The same of settings that were read already. */
export function namesProxy(settings: unknown): boolean {
  if (settings === null || typeof settings !== "object") return true;
  const { env = {} } = settings as { env?: unknown };
  return env === null || typeof env !== "object" || Object.keys(env).some((name) => /proxy/i.test(name));
}

function placesOf(file: string, { cwd, environment }: Start): string[] {
  const place = expanded(file, environment);
  if (place === null) return [];
  if (!place.startsWith("/")) return foldersAbove(cwd).map((folder) => join(folder, place));
  return place.endsWith("/") ? filesIn(place) : [place];
}

/** Null where the variable names no folder. */
function expanded(file: string, environment: Environment): string | null {
  if (file.startsWith("~/")) return join(environment["HOME"] || homedir(), file.slice(2));
  const [, name, rest = ""] = /^\$(\w+)(\/.*)$/.exec(file) ?? [];
  if (name === undefined) return file;
  const folder = environment[name];
  return folder ? join(folder, rest) : null;
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

function fileNamesProxy(file: string): boolean {
  try {
    return namesProxy(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code !== "ENOENT" && code !== "ENOTDIR";
  }
}
