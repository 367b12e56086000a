/** The folder in which an agent is served. */
import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, normalize, relative, sep } from "node:path";
import { attempt } from "../../../../model/data/attempt.js";
import { withPlainErrors, createForbidden } from "./request-errors.js";

const PATH_LENGTH_MAX = 4096;

export interface WorkspaceOptions {
  readonly folder: string;
  /** Places inside it that only AtlasBridge may use. */
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
   * The path with all links resolved; it need not exist. Errors: `RequestError` for a path that is not absolute, leaves the workspace, or
   * is ours.
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

  short(path: string): string {
    return relative(this.#folder, path) || ".";
  }
}

function isWithin(folder: string, path: string): boolean {
  const from = relative(folder, path);
  return from === "" || (from !== ".." && !from.startsWith(`..${sep}`) && !isAbsolute(from));
}

function resolvePath(path: string): string {
  return attempt(() => resolveExisting(path), path);
}

/** A broken link stays as it is, because files are opened with `O_NOFOLLOW`. Errors: those of the system. */
function resolveExisting(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    const above = dirname(path);
    if (!isMissing(error)) throw error;
    return above === path ? path : join(resolveExisting(above), basename(path));
  }
}

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : null;
  return code === "ENOENT" || code === "ENOTDIR";
}
