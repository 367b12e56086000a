/** Finds the files of shells, interpreters and debuggers: the user's own first, then the package's. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { findNearest } from "../../model/data/nearest.js";
import { AtlasBridgeError } from "../../model/errors.js";
import type { OwnFile } from "../../worker/adapter-format/compiled/compiled.js";
import { listExecutables } from "../../worker/adapter-format/program/executables.js";
import type { ReadProgram } from "../../worker/adapter-format/program/read-program.js";
import { getPackagePlace, readAdapterFile, type AdapterPlace } from "./adapters.js";

const FOLDER = "programs";
const ENDING = ".yaml";

function listFolders(place: AdapterPlace): string[] {
  return [place.adaptersDir, getPackagePlace().adaptersDir].map((folder) => join(folder, FOLDER));
}

export interface FoundProgram {
  readonly name: string;
  readonly file: string;
  readonly isOwn: boolean;
  /** The package's file that it replaces, or null. */
  readonly replaces: string | null;
}

export function listPrograms(place: AdapterPlace): FoundProgram[] {
  const [own = "", shipped = ""] = listFolders(place).map((folder) => folder);
  const names = new Set([...listNames(own), ...listNames(shipped)]);
  return [...names].sort().map((name) => {
    const [mine, theirs] = [own, shipped].map((folder) => join(folder, name + ENDING));
    const isOwn = own !== shipped && existsSync(mine ?? "");
    const file = (isOwn ? mine : theirs) ?? "";
    return { name, file, isOwn, replaces: isOwn && existsSync(theirs ?? "") ? (theirs ?? "") : null };
  });
}

function listNames(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith(ENDING))
    .map((file) => file.slice(0, -ENDING.length));
}

export interface LoadedProgram extends ReadProgram {
  /** Absent for the package's own. */
  readonly own?: OwnFile;
}

/** Errors: ATB_ADAPTER_INVALID. */
export async function loadProgram(file: string): Promise<LoadedProgram> {
  const { readProgram } = await import("../../worker/adapter-format/program/read-program.js");
  const text = readAdapterFile(file);
  const read = readProgram(text, file);
  if (read.program.name === basename(file, ENDING))
    return isShipped(file) ? read : { ...read, own: describeOwn(read, text) };
  throw new AtlasBridgeError(
    "ATB_ADAPTER_INVALID",
    `${file}: its name is "${read.program.name}", not the file's`,
    {
      hint: "The file must have the program's name.",
    },
  );
}

function isShipped(file: string): boolean {
  return dirname(resolve(file)) === join(getPackagePlace().adaptersDir, FOLDER);
}

function describeOwn({ program, file, script }: ReadProgram, text: string): OwnFile {
  const { process, init } = program;
  const beside = init.script_resource === undefined ? "" : (script ?? "");
  return { file, text: text + beside, programs: listExecutables(program), env: process.env };
}

/** The program of that name or alias, or that the executable belongs to. Errors: ATB_ADAPTER_UNKNOWN, ATB_ADAPTER_INVALID. */
export async function findProgramFile(executable: string, place: AdapterPlace): Promise<LoadedProgram> {
  const programs = listPrograms(place);
  const name = basename(executable);
  const exact = programs.find((program) => program.name === name);
  if (exact) return loadProgram(exact.file);
  // Python's executable also runs its debugger: an exact name wins.
  let found: LoadedProgram | null = null;
  for (const { file } of programs.filter((program) => holds(program.file, name))) {
    const read = await loadProgram(file);
    if (read.program.aliases.includes(name)) return read;
    if (found === null && isExecutable(read, name)) found = read;
  }
  if (found) return found;
  const names = programs.map((program) => program.name);
  const meant = findNearest(name, names);
  throw new AtlasBridgeError("ATB_ADAPTER_UNKNOWN", `no program file says how to talk to "${name}"`, {
    hint: meant
      ? `Did you mean "${meant}"?`
      : `There are: ${names.join(", ")}. Others: docs/how-to/add-a-program.md.`,
  });
}

/** Only files with the name are read, because other files may be broken. */
function holds(file: string, name: string): boolean {
  try {
    return readFileSync(file, "utf8").includes(name);
  } catch {
    return false;
  }
}

function isExecutable({ program }: ReadProgram, name: string): boolean {
  return listExecutables(program).some((each) => basename(each) === name);
}
