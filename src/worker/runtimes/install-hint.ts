/** Says how to install a tool that is not there. Pure. */
import { AtlasBridgeError } from "../../model/errors.js";
import type { CompiledAdapter } from "../adapter-format/compiled/compiled.js";

/** The same error, unless it says that the adapter's own tool is missing and the adapter knows how to get it. */
export function explainMissingTool(
  error: unknown,
  { name, process }: Pick<CompiledAdapter, "name" | "process">,
  executable: string,
): unknown {
  const { install, executables } = process;
  return [name, ...executables].includes(executable)
    ? explainMissingProgram(error, executable, install)
    : error;
}

/** What `start` does, with an error that says how to get a missing program. */
export async function explainMissing<T>(
  start: () => Promise<T>,
  explain: (error: unknown) => unknown,
): Promise<T> {
  try {
    return await start();
  } catch (error) {
    throw explain(error);
  }
}

/** The same error, unless it says that the program is missing. `install`: the command that installs it; null if that is unknown. */
export function explainMissingProgram(error: unknown, executable: string, install: string | null): unknown {
  const isMissing = error instanceof AtlasBridgeError && error.code === "ATB_TOOL_NOT_FOUND";
  if (!isMissing || install === null) return error;
  return new AtlasBridgeError("ATB_TOOL_NOT_FOUND", `${executable} is not installed: ${install}`, {
    hint: "If it is installed, check your PATH.",
    cause: error,
  });
}
