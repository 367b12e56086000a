/** The one folder in which an agent is served: where a path that it names really leads. */
import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, normalize, relative, sep } from "node:path";
import { withPlainErrors, createForbidden } from "./request-errors.js";

/** Longer ones name no file on any system. */
const PATH_LENGTH_MAX = 4096;

export interface WorkspaceOptions {
  /** Absolute. */
  readonly folder: string;
  /** Folders and files inside it that only we may use. */
  readonly offLimits: readonly string[];
}

export class Workspace {
  readonly #folder: string;
  readonly #offLimits: readonly string[];

  constructor({ folder, offLimits }: WorkspaceOptions) {
    this.#folder = resolvePath(folder);
    this.#offLimits = offLimits.map(resolvePath);
  }

  /**
   * The path that a request names, with every link on the way followed; what is not there yet stands behind the last folder that is.
   * Errors: `RequestError` in plain words for a path that is not absolute, leads out, leads to what is ours, or cannot be followed.
   */
  resolve(given: unknown): string {
    if (
      typeof given !== "string" ||
      given.includes("\0") ||
      given.length > PATH_LENGTH_MAX ||
      !isAbsolute(given)
    )
      throw createForbidden("the path has to be an absolute one");
    const path = withPlainErrors(given, () => resolveExisting(normalize(given)));
    if (!isWithin(this.#folder, path))
      throw createForbidden(`${given} is outside of the workspace ${this.#folder}`);
    if (this.#offLimits.some((place) => isWithin(place, path)))
      throw createForbidden(`${given} belongs to AtlasBridge`);
    return path;
  }

  get folder(): string {
    return this.#folder;
  }

  /** As people name it. */
  short(path: string): string {
    return relative(this.#folder, path) || ".";
  }
}

function isWithin(folder: string, path: string): boolean {
  const from = relative(folder, path);
  return from === "" || (from !== ".." && !from.startsWith(`..${sep}`) && !isAbsolute(from));
}

/** What cannot be followed is where its name says: nothing that we serve lies there, either. */
function resolvePath(path: string): string {
  try {
    return resolveExisting(path);
  } catch {
    return path;
  }
}

/**
 * A link that leads nowhere stays as it is: what opens a file follows none (`O_NOFOLLOW`). Errors: of the system, for what may be there
 * and cannot be followed; nobody knows where that leads.
 */
function resolveExisting(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    const above = dirname(path);
    if (!isMissing(error)) throw error;
    return above === path ? path : join(resolveExisting(above), basename(path));
  }
}

/** Nothing has that name, nor can have before a folder is made. */
function isMissing(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : null;
  return code === "ENOENT" || code === "ENOTDIR";
}
