import type { Paths } from "../../config/paths.js";
import { isInstalled } from "../../worker/process/executable.js";
import { GENERIC_ADAPTER, listAdapterNames, loadAdapter } from "../../plugins/adapters/adapters.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { getCurrentFolder } from "../../observe/current-folder.js";

export interface InstalledTool {
  readonly name: string;
  /** It asks almost nothing unless it is started with `--ask`. */
  readonly needsAsk: boolean;
}

/** Installed tools with an adapter. Broken adapter files are left out; `doctor` reports them. */
export async function listTools(paths: Paths): Promise<InstalledTool[]> {
  const names = listAdapterNames(paths).filter((name) => name !== GENERIC_ADAPTER);
  const tools = await Promise.all(names.map((name) => findTool(name, paths)));
  return tools.filter((tool) => tool !== null);
}

async function findTool(name: string, paths: Paths): Promise<InstalledTool | null> {
  try {
    const { process: tool, asking } = await loadAdapter(name, paths);
    const search = { path: process.env["PATH"], cwd: getCurrentFolder() };
    const executables = tool.executables.length > 0 ? tool.executables : [name];
    if (!executables.some((executable) => isInstalled(executable, search))) return null;
    return { name, needsAsk: asking !== null && asking.args.length > 0 };
  } catch (error) {
    if (error instanceof AtlasBridgeError) return null;
    throw error;
  }
}

export function writeRunCommand({ name, needsAsk }: InstalledTool, ownName = "atlasbridge"): string {
  return `${ownName} run ${needsAsk ? "--ask " : ""}${name}`;
}
