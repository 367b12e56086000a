/** Starts the tool. It is separate from the adapter that then watches it, so that a session need not wait until all of that is loaded. */
import type { Clock } from "../../../model/clock.js";
import type { SessionId } from "../../../model/ids.js";
import type { CompiledAdapter } from "../../adapter-format/compiled/compiled.js";
import { createChildEnvironment, type Environment } from "../../process/child-environment.js";
import type { Isolation } from "../../process/isolation.js";
import { explainMissingTool } from "../install-hint.js";
import { openPty } from "../../pty/pty.js";
import { locateTool } from "./locate-tool.js";
import type { Terminal, TerminalSize } from "../../process/terminal.js";

export interface ToolSettings {
  readonly adapter: CompiledAdapter;
  readonly sessionId: SessionId;
  readonly cwd: string;
  readonly size: TerminalSize;
  readonly environment: Environment;
  readonly clock: Clock;
  /** See `PtyOptions.modes`. */
  readonly modes?: string | null;
  /** See `PtyOptions.isolation`. */
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
