/** Starts one worker: first the tool, then all that watches it. What the tool need not wait for stands in `supervise-run.ts`. */
import { resolvePaths } from "../config/paths.js";
import { asId, type SessionId } from "../model/ids.js";
import { systemClock } from "../observe/clock.js";
import { systemRandom } from "../observe/random.js";
import type { CompiledAdapter } from "../worker/detect/compiled.js";
import { startingArguments } from "../worker/runtime/pty/asking.js";
import { openTool, type ToolSettings } from "../worker/runtime/pty/open-tool.js";
import { ownTerminal, type HostTerminal } from "../worker/session/host-terminal.js";
import { terminalSettings } from "../worker/session/stty.js";
import { adapterFor, loadAdapter } from "./adapters.js";

export interface RunToolOptions {
  readonly command: readonly [tool: string, ...args: string[]];
  readonly label: string | null;
  readonly cwd: string;
  readonly adapter: string | null;
  readonly relay: boolean;
  readonly ask: boolean;
  readonly quiet: boolean;
}

/** Runs the tool and resolves to our exit code. Errors: ATB_TOOL_NOT_FOUND, ATB_TOOL_START_FAILED, ATB_ADAPTER_*. */
export async function runTool(options: RunToolOptions): Promise<number> {
  const host = ownTerminal(systemClock);
  await host.ready();
  const modes = terminalSettings();
  const paths = resolvePaths();
  const [tool, ...userArgs] = options.command;
  const adapter = await (options.adapter === null
    ? adapterFor(tool, paths)
    : loadAdapter(options.adapter, paths));
  const { args, note } = startingArguments(adapter.asking, userArgs, options.ask);
  const settings = { ...toolSettings(adapter, options, host), modes: await modes };
  const terminal = openTool(settings, [tool, ...args]);
  try {
    // The tool comes up while this loads. What it says meanwhile waits in its terminal, behind our own line.
    const { superviseRun } = await import("./supervise-run.js");
    return await superviseRun({ options, paths, settings, terminal, host, note });
  } finally {
    terminal.close();
    host.endInBackground();
  }
}

function toolSettings(adapter: CompiledAdapter, { cwd }: RunToolOptions, host: HostTerminal): ToolSettings {
  return {
    adapter,
    sessionId: asId<SessionId>(systemRandom.uuid()),
    cwd,
    size: host.size,
    environment: process.env,
    clock: systemClock,
  };
}
