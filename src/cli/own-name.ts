/** How the reader of a printed command can start this program: a bare `atlasbridge` may be another program of that name, or none. */
import { existsSync, realpathSync } from "node:fs";
import { delimiter, join, relative, sep } from "node:path";
import { findPackageRoot } from "../observe/package-root.js";

export interface OwnPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The file that node was started with. */
  readonly program: string;
  readonly packageRoot: string;
}

export function getOwnName(
  place: OwnPlace = {
    cwd: process.cwd(),
    env: process.env,
    program: process.argv[1] ?? "",
    packageRoot: findPackageRoot(),
  },
): string {
  const { cwd, env, program, packageRoot } = place;
  const script = join(packageRoot, "atlasbridge");
  const inClone = existsSync(script);
  // npm and npx put folders on the path that their caller's shell does not have.
  if (env["npm_lifecycle_event"] === undefined && isOnPath([program, script], env["PATH"] ?? ""))
    return "atlasbridge";
  const file = inClone ? script : program;
  const near = relative(cwd, file);
  const path = near.length < file.length ? (near.includes(sep) ? near : `./${near}`) : file;
  return path.endsWith(".js") ? `node ${path}` : path;
}

/** Whether the first `atlasbridge` on the path is one of these files. */
function isOnPath(files: readonly string[], path: string): boolean {
  const first = path
    .split(delimiter)
    .map((folder) => join(folder, "atlasbridge"))
    .find((file) => existsSync(file));
  if (first === undefined) return false;
  return files.some((file) => existsSync(file) && realpathSync(file) === realpathSync(first));
}
