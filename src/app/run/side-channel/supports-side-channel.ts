/** Whether a tool can report its prompts in this start: its adapter file lists the versions and the exclusions. */
import { isInRange } from "../../../model/data/version-range.js";
import type { Paths } from "../../../config/paths.js";
import type { CompiledAdapter } from "../../../worker/adapter-format/compiled/compiled.js";
import type { CommandLinePart } from "../../../worker/process/command-line.js";
import type { Environment } from "../../../worker/process/child-environment.js";
import { findExecutable } from "../../../worker/process/executable.js";
import { isAdapterTool } from "../../../plugins/adapters/adapters.js";
import {
  readKnownVersion,
  findRememberedVersion,
} from "../../../worker/runtimes/tool-version/known-versions.js";

/**
 * The start may wait for the tool's version, usually once per version. A slower tool is asked again while it runs, with more
 * patience (`noteVersion`), for the next run.
 */
const VERSION_LIMIT_MS = 3000;

export interface SideChannelStart {
  readonly adapter: CompiledAdapter;
  readonly tool: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Environment;
  readonly paths: Paths;
  /** No program of the tool may run outside its isolation, so only an already known version counts. */
  readonly isolated: boolean;
}

export interface SideChannelCondition {
  /** A version range. */
  readonly versions: string;
  readonly notWith: readonly string[];
}

/** The version per start: a slow tool is waited for only once. */
const VERSIONS = new WeakMap<SideChannelStart, Promise<string | null>>();

/** Only the tool itself, in a supported version, started so that it shows dialogs at all. Never rejects. */
export async function supportsSideChannel(
  start: SideChannelStart,
  { versions, notWith }: SideChannelCondition,
  parts: readonly CommandLinePart[],
): Promise<boolean> {
  if (!isAdapterTool(start.adapter, start.tool) || isExcluded(notWith, parts)) return false;
  const asked = VERSIONS.get(start) ?? findVersion(start);
  VERSIONS.set(start, asked);
  const version = await asked;
  return version !== null && isInRange(version, versions);
}

async function findVersion({
  tool,
  cwd,
  environment,
  paths,
  isolated,
}: SideChannelStart): Promise<string | null> {
  try {
    const file = findExecutable(tool, { path: environment["PATH"], cwd });
    if (isolated) return findRememberedVersion(file, paths);
    return await readKnownVersion(file, environment, paths, { limitMs: VERSION_LIMIT_MS });
  } catch {
    return null; // Not to be found: whoever starts it says so.
  }
}

/** A word may name a subcommand at any position, because unknown options with values may precede it. */
function isExcluded(notWith: readonly string[], parts: readonly CommandLinePart[]): boolean {
  return parts.some((part) => {
    if (part.kind === "rest") return false;
    return notWith.includes(part.kind === "option" ? part.name : part.args[0]);
  });
}
