/** Finds the executable of a tool that people name otherwise than its file is called. */
import type { CompiledAdapter } from "../../adapter-format/compiled/compiled.js";
import { isInstalled, type ExecutableSearch } from "../../process/executable.js";

/**
 * The command as typed where its executable is there, or is a path. Otherwise the first of the adapter's candidates that is installed,
 * if the adapter's own name was typed.
 */
export function locateTool(
  { name, aliases, process }: Pick<CompiledAdapter, "name" | "aliases" | "process">,
  command: readonly string[],
  search: ExecutableSearch,
): readonly string[] {
  const [tool = "", ...args] = command;
  if (tool.includes("/") || ![name, ...aliases].includes(tool) || isInstalled(tool, search)) return command;
  const found = process.executables.find((executable) => isInstalled(executable, search));
  return found === undefined ? command : [found, ...args];
}
