/** Whether a tool can report its prompts in this start: its adapter file lists the versions and the exclusions. */
import { isInRange } from "../../../model/data/version-range.js";
import type { Paths } from "../../../config/paths.js";
import type { CompiledAdapter } from "../../../worker/adapter-format/compiled/compiled.js";
import type { CommandLinePart } from "../../../worker/process/command-line.js";
import type { Environment } from "../../../worker/process/child-environment.js";
import { isAdapterTool } from "../../../plugins/adapters/adapters.js";
import { readInstalledVersion } from "../../../worker/runtimes/tool-version.js";

/** The start may wait for the tool's version, usually once per version. A slower tool is asked again later by `noteVersion`. */
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
  readonly versions: string;
  readonly notWith: readonly string[];
}

const VERSIONS = new WeakMap<SideChannelStart, ReturnType<typeof readInstalledVersion>>();

/** Only the tool itself, in a supported version, started so that it shows dialogs at all. Never rejects. */
export async function supportsSideChannel(
  start: SideChannelStart,
  { versions, notWith }: SideChannelCondition,
  parts: readonly CommandLinePart[],
): Promise<boolean> {
  if (!isAdapterTool(start.adapter, start.tool) || isExcluded(notWith, parts)) return false;
  const limits = { limitMs: VERSION_LIMIT_MS, rememberedOnly: start.isolated };
  const asked = VERSIONS.get(start) ?? readInstalledVersion(start.tool, start, limits);
  VERSIONS.set(start, asked);
  const installed = await asked;
  return installed !== null && isInRange(installed.version, versions);
}

/** A word may name a subcommand at any position, because unknown options with values may precede it. */
function isExcluded(notWith: readonly string[], parts: readonly CommandLinePart[]): boolean {
  return parts.some((part) => {
    if (part.kind === "rest") return false;
    return notWith.includes(part.kind === "option" ? part.name : part.args[0]);
  });
}
