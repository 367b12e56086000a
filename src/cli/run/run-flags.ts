import type { RunToolOptions } from "../../app/run/run-tool-options.js";
import type { AskToRun } from "../../plugins/adapters/agreed-files.js";
import type { PermissionMode } from "../../model/permission-mode.js";
import { resolveRunFolder } from "../../observe/current-folder.js";

/** Loaded on first use, because this file delays every start. */
export const askToRun: AskToRun = async (own, agreement) =>
  (await import("../adapter/ask-to-run.js")).askAtTerminal(own, agreement);

/** In characters: `status` and cards show the label in one line, beside the tool and its folder. */
export const LABEL_MAX = 80;

export interface RunFlags {
  readonly runtime: "pty" | "acp";
  readonly dryRun: boolean;
  readonly session?: string;
  readonly listSessions: boolean;
  readonly acpAgent?: string;
  readonly acpPermissionMode?: PermissionMode;
  readonly label?: string;
  readonly cwd?: string;
  readonly adapter?: string;
  readonly relay: boolean;
  readonly relayRequired: boolean;
  readonly ask: boolean;
  readonly hooks: boolean;
  readonly isolate: boolean;
  readonly console: boolean;
  readonly consoleForAgents: boolean;
  readonly events?: number;
  readonly startWithin?: number;
  readonly quiet: boolean;
}

/** Errors: those of `resolveRunFolder`. */
export function buildToolOptions(tool: string, args: readonly string[], flags: RunFlags): RunToolOptions {
  // From here on the output belongs to the tool, and the run handles a closed pipe.
  process.stdout.removeAllListeners("error");
  const { path, nameless } = resolveRunFolder(flags.cwd);
  return {
    command: [tool, ...args],
    label: flags.label ?? null,
    cwd: path,
    nameless,
    adapter: flags.adapter ?? null,
    relay: flags.relay,
    relayRequired: flags.relayRequired,
    ask: flags.ask,
    hooks: flags.hooks,
    isolate: flags.isolate,
    console: flags.consoleForAgents ? "agents" : flags.console,
    events: flags.events ?? null,
    startWithinMs: flags.startWithin ?? null,
    quiet: flags.quiet,
    askToRun,
  };
}
