/** Starts the tool before the code that watches it is loaded (ADR 10). */
import type { Clock } from "../../../model/clock.js";
import type { SessionId } from "../../../model/ids.js";
import type { CompiledAdapter } from "../../adapter-format/compiled/compiled.js";
import { createChildEnvironment, type Environment } from "../../process/child-environment.js";
import { isInstalled, type ExecutableSearch } from "../../process/executable.js";
import type { Isolation } from "../../process/isolation.js";
import { explainMissingTool } from "../install-hint.js";
import { openPty } from "../../pty/pty.js";
import type { Terminal, TerminalSize } from "../../process/terminal.js";

export interface ToolSettings {
  readonly adapter: CompiledAdapter;
  readonly sessionId: SessionId;
  readonly cwd: string;
  readonly size: TerminalSize;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly modes?: string | null;
  readonly isolation?: Isolation | null;
}

/** `env` overrides everything except our own variables. Errors: ATB_TOOL_NOT_FOUND, ATB_TOOL_START_FAILED. */
export function openTool(
  { adapter, sessionId, cwd, size, environment, clock, modes = null, isolation = null }: ToolSettings,
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Terminal {
  const whole = createChildEnvironment({ ...environment, ...adapter.process.env, ...env }, sessionId);
  try {
    const located = locateTool(adapter, command, { path: whole["PATH"], cwd });
    return openPty({ command: located, env: whole, cwd, size, clock, modes, isolation });
  } catch (error) {
    throw explainMissingTool(error, adapter, command[0] ?? "");
  }
}

/** Replaces the adapter's name by the first of its executables that is installed. A path and an installed command stay as typed. */
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
