/** Whether a tool, as it is about to be started, can tell us by itself what it asks: its adapter file says in which versions, and how not. */
import { isInRange } from "../../../model/data/version-range.js";
import type { Paths } from "../../../config/paths.js";
import type { CompiledAdapter } from "../../../worker/adapter-format/compiled/compiled.js";
import type { CommandLinePart } from "../../../worker/process/command-line.js";
import type { Environment } from "../../../worker/process/child-environment.js";
import { findExecutable } from "../../../worker/process/executable.js";
import { isToolOf } from "../../../plugins/adapters/adapters.js";
import { knownVersion, rememberedVersion } from "../../../worker/runtimes/tool-version/known-versions.js";

/**
 * The tool's start may wait for its version, as a rule once for each one. A tool that is slower is asked once more while it runs, with
 * more patience (`noteVersion`): then the next run knows.
 */
const VERSION_LIMIT_MS = 3000;

export interface Start {
  readonly adapter: CompiledAdapter;
  readonly tool: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Environment;
  readonly paths: Paths;
  /** No program of the tool's is started outside of its isolation: only a version that was told before is known. */
  readonly isolated: boolean;
}

export interface SideChannelCondition {
  /** A version range. */
  readonly versions: string;
  readonly notWith: readonly string[];
}

/** Of starts that were asked about: a slow tool is waited for once, however many ways there are in which it could tell. */
const VERSIONS = new WeakMap<Start, Promise<string | null>>();

/** Only the tool itself, in a version that is known to understand, started so that it has dialogs at all. Never rejects. */
export async function supportsSideChannel(
  start: Start,
  { versions, notWith }: SideChannelCondition,
  parts: readonly CommandLinePart[],
): Promise<boolean> {
  if (!isToolOf(start.adapter, start.tool) || isWithout(notWith, parts)) return false;
  const asked = VERSIONS.get(start) ?? versionOf(start);
  VERSIONS.set(start, asked);
  const version = await asked;
  return version !== null && isInRange(version, versions);
}

async function versionOf({ tool, cwd, environment, paths, isolated }: Start): Promise<string | null> {
  try {
    const file = findExecutable(tool, { path: environment["PATH"], cwd });
    if (isolated) return rememberedVersion(file, paths);
    return await knownVersion(file, environment, paths, { limitMs: VERSION_LIMIT_MS });
  } catch {
    return null; // Not to be found: whoever starts it says so.
  }
}

/** A word may name another program wherever it stands: in front of it may be options that we do not know, with values. */
function isWithout(notWith: readonly string[], parts: readonly CommandLinePart[]): boolean {
  return parts.some((part) => {
    if (part.kind === "rest") return false;
    return notWith.includes(part.kind === "option" ? part.name : part.args[0]);
  });
}
