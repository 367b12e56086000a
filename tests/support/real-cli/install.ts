/** Puts one version of a CLI from npm into the git-ignored cache, once; later runs need no network. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { tellInstalled } from "../suites/installed.js";

export interface RealCliPackage {
  /** Name on npm, for example `@anthropic-ai/claude-code`. */
  readonly name: string;
  readonly version: string;
}

export type Installed =
  { readonly ok: true; readonly modules: string } | { readonly ok: false; readonly reason: string };

/** Packages in other versions than those of the tests: `REAL_CLI_VERSIONS="@openai/codex@0.171.0 opencode-ai@1.19.0"`. */
const OTHER_VERSIONS = "REAL_CLI_VERSIONS";

/** The version of the tests, or the one that the person who runs them asks for. */
export function chooseVersion(name: string, tested: string): string {
  const others = process.env[OTHER_VERSIONS]?.split(/[\s,]+/) ?? [];
  const other = others.find((each) => each.startsWith(`${name}@`));
  return other?.slice(name.length + 1) ?? tested;
}

const CACHE = join(import.meta.dirname, "../../../.cache/real-cli");

/** These are large downloads (claude is 380 MB unpacked). */
const INSTALL_TIMEOUT_MS = 300_000;

/** Never throws: what cannot be installed here is skipped, and the reason is printed. */
export async function installRealCli(wanted: RealCliPackage): Promise<Installed> {
  const target = locateTarget(wanted);
  try {
    if (!existsSync(target)) await installInto(target, wanted);
    tellInstalled(wanted.name, wanted.version);
    return { ok: true, modules: locateCache(wanted) };
  } catch (error) {
    return skipped(wanted, `npm could not install it: ${readFirstLine(error)}`);
  }
}

export function locateCache(wanted: RealCliPackage): string {
  return join(locateTarget(wanted), "node_modules");
}

function locateTarget({ name, version }: RealCliPackage): string {
  return join(CACHE, `${name.replace("/", "+")}@${version}`);
}

export function skipped({ name, version }: RealCliPackage, reason: string): Installed {
  console.warn(`real-cli: skipping ${name}@${version}: ${reason}`);
  return { ok: false, reason };
}

/** Installs beside the target and renames: a killed run leaves no half package, and two runs at once are harmless. */
async function installInto(target: string, { name, version }: RealCliPackage): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const scratch = await mkdtemp(join(CACHE, "installing-"));
  try {
    await writeFile(join(scratch, "package.json"), '{ "private": true }\n');
    await npmInstall(scratch, `${name}@${version}`);
    await rename(scratch, target);
  } catch (error) {
    await rm(scratch, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
}

/** Without install scripts: the program itself comes as an optional dependency for this platform. */
async function npmInstall(folder: string, spec: string): Promise<void> {
  const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", spec];
  await promisify(execFile)("npm", args, { cwd: folder, timeout: INSTALL_TIMEOUT_MS });
}

function readFirstLine(error: unknown): string {
  const text = error instanceof Error && "stderr" in error ? String(error.stderr) : String(error);
  return text.split("\n").find((line) => line.trim() !== "") ?? "no message";
}
