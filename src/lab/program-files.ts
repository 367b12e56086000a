/** Program files for `adapter list` and `adapter show`: what there is, what replaces what, and what cannot be used. */
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { resolvePaths } from "../config/paths.js";
import { AtlasBridgeError } from "../model/errors.js";
import { describeProgram, summarize } from "../plugins/adapters/describe-program.js";
import {
  findProgramFile,
  listPrograms,
  loadProgram,
  type FoundProgram,
} from "../plugins/adapters/programs.js";
import type { ProgramFile } from "../worker/adapter-format/program/program-file.js";
import { findPackageRoot } from "../observe/package-root.js";
import { buildSchemaLine } from "../plugins/schema-line.js";
import { writeNew, type ListedAdapter } from "./adapter-files.js";
import { buildProgramFile, type NewProgram } from "./new-program.js";

/** A broken file is listed with its problem, and so is a name that two files claim. */
export async function listProgramFiles(): Promise<readonly ListedAdapter[]> {
  const names = new Map<string, string>();
  const listed: ListedAdapter[] = [];
  for (const found of listPrograms(resolvePaths())) listed.push(await describeListed(found, names));
  return listed;
}

const NO_RULES = { supportedVersions: null, rules: 0 };

async function describeListed(found: FoundProgram, names: Map<string, string>): Promise<ListedAdapter> {
  const { name, file, isOwn: own, replaces } = found;
  const [mine, shipped] = [{ kind: "own" }, { kind: "package" }] as const;
  const place = { name, file, own, origin: own ? mine : shipped, over: replaces === null ? [] : [shipped] };
  try {
    const { program } = await loadProgram(file);
    const { version, tested, aliases } = program;
    const description = summarize(program);
    const taken = [name, ...aliases].filter((each) => names.has(each));
    for (const each of [name, ...aliases]) names.set(each, names.get(each) ?? name);
    const [first] = taken;
    const problem = first === undefined ? null : `"${first}" is also a name of ${names.get(first) ?? ""}`;
    return { ...place, ...NO_RULES, version, description, tested, problem };
  } catch (error) {
    if (!(error instanceof AtlasBridgeError)) throw error;
    return { ...place, ...NO_RULES, version: "", description: "", tested: false, problem: error.message };
  }
}

export function isProgramFile(name: string): boolean {
  return listPrograms(resolvePaths()).some((found) => found.name === name);
}

export interface ProgramCheck {
  readonly name: string;
  readonly tests: number;
  readonly problems: readonly string[];
  readonly notes: readonly string[];
}

/** Whether that is a program, or the file of one. */
export function namesProgram(nameOrFile: string): boolean {
  if (!nameOrFile.endsWith(ENDING)) return isProgramFile(nameOrFile);
  return existsSync(nameOrFile) && PROGRAM_FAMILY.test(readFileSync(nameOrFile, "utf8"));
}

/** `names`: programs or their files; none: all. Nothing is started. */
export async function checkPrograms(names: readonly string[]): Promise<readonly ProgramCheck[]> {
  const programs = listPrograms(resolvePaths());
  const files =
    names.length === 0
      ? programs.map(({ file }) => file)
      : names.map((named) => programs.find(({ name }) => name === named)?.file ?? named);
  return Promise.all(files.map(checkProgram));
}

const PROGRAM_FAMILY = /^family:\s{0,8}["']?(?:shell|repl|debugger)\b/m;
const ENDING = ".yaml";

async function checkProgram(file: string): Promise<ProgramCheck> {
  try {
    const { program, notes } = await loadProgram(file);
    return { name: program.name, tests: program.tests.length, problems: [], notes };
  } catch (error) {
    if (!(error instanceof AtlasBridgeError)) throw error;
    return { name: basename(file, ENDING), tests: 0, problems: error.message.split("\n"), notes: [] };
  }
}

/** Writes a commented program file; returns its path. Errors: ATB_USAGE (an invalid name, or the file exists). */
export function createProgram({
  intoPackage,
  ...program
}: NewProgram & { readonly intoPackage: boolean }): string {
  const paths = resolvePaths();
  const { name } = program;
  if (!PROGRAM_NAME.test(name))
    throw new AtlasBridgeError("ATB_USAGE", `"${name}" is not a valid name of a program`, {
      hint: "Letters, digits and . + - _, at most 40, a letter first.",
    });
  if (isProgramFile(name))
    throw new AtlasBridgeError("ATB_USAGE", `there is a program file "${name}" already`, {
      hint: `Show it: atlasbridge adapter show ${name}`,
    });
  const folder = intoPackage ? join(findPackageRoot(), "adapters") : paths.adaptersDir;
  const file = join(folder, "programs", name + ENDING);
  const firstLine = intoPackage ? PACKAGE_SCHEMA : buildSchemaLine("program");
  writeNew(file, firstLine + buildProgramFile(program));
  return file;
}

const PROGRAM_NAME = /^[A-Za-z][A-Za-z0-9_.+-]{0,39}$/;
const PACKAGE_SCHEMA = "# yaml-language-server: $schema=../../schemas/program.schema.json\n";

export interface ShownProgram {
  readonly file: string;
  readonly program: ProgramFile;
  readonly lines: readonly string[];
}

/** Errors: ATB_ADAPTER_UNKNOWN, ATB_ADAPTER_INVALID. */
export async function showProgram(name: string): Promise<ShownProgram> {
  const read = await findProgramFile(name, resolvePaths());
  const { program, file } = read;
  const head = `${program.name} ${program.version}  ${summarize(program)}`;
  return { file, program, lines: [head, `  file        ${file}`, ...describeProgram(read)] };
}
