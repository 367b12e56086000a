/** `atlasbridge run`: command line arguments. */
import { Option, type Command } from "commander";
import type { RunAgentOptions } from "../../app/run/run-agent.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { PERMISSION_MODES, type PermissionMode } from "../../model/permission-mode.js";
import { resolveRunFolder, resolveStartFolder } from "../../observe/current-folder.js";
import { parseLabel } from "../parse-label.js";

/** Runs a session with an ACP agent (`app/run-agent.ts`). */
export type AgentRunner = (options: RunAgentOptions) => Promise<number>;

interface RunFlags {
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
  readonly quiet: boolean;
}

/** `runAgent` is absent from the small program that starts tools in a terminal, to keep that start fast (ADR 10). */
export function registerRun(program: Command, runAgent: AgentRunner): void {
  program
    .command("run")
    .summary("run a tool in a terminal and relay its prompts")
    .description("Runs TOOL exactly as without AtlasBridge, relays its prompts, and exits with its code.")
    .argument("[tool]", "the executable to run (with --runtime acp it defaults to the first installed agent)")
    .argument("[args...]", "its arguments, passed on unchanged")
    .option("--label <text>", "a name for this session on the cards (at most 80 characters)", parseLabel)
    .option("--cwd <dir>", "start the tool in this folder")
    .option("--adapter <name>", "use this adapter instead of the tool's own")
    .option("--no-relay", "use no hub: only the terminal can answer")
    .addOption(
      new Option("--relay-required", "do not start the tool unless a channel with an approver is connected")
        .default(false)
        .conflicts("relay"),
    )
    .option("--ask", "start the tool in the mode in which it asks before it acts", false)
    .option("--no-hooks", "read prompts from the screen only, even where the tool offers hooks or a server")
    .option("--isolate", "keep the tool away from the ledger, the configuration and the keys (Linux)", false)
    .option("--quiet", "do not print a start line, except for problems", false)
    .addOption(
      new Option(
        "--runtime <name>",
        "pty: the tool's own interface; acp: an agent that speaks the Agent Client Protocol",
      )
        .choices(["pty", "acp"])
        .default("pty"),
    )
    .option("--acp-agent <command>", "with --runtime acp: the agent's command, instead of TOOL")
    .addOption(
      new Option("--acp-permission-mode <mode>", "with --runtime acp: who answers permissions").choices(
        PERMISSION_MODES,
      ),
    )
    .option("--session <id>", "with --runtime acp: resume this session of the agent")
    .option(
      "--list-sessions",
      "with --runtime acp: list the agent's sessions in this folder without starting one",
      false,
    )
    .option("--dry-run", "with --runtime acp: print the command without starting it", false)
    .passThroughOptions()
    .action(async (tool: string | undefined, args: string[], flags: RunFlags, command: Command) => {
      if (flags.runtime === "acp") process.exitCode = await runAgent(buildAgentOptions(tool, args, flags));
      else {
        refuseAgentOptions(flags);
        if (tool === undefined) command.error("error: missing required argument 'tool'");
        else process.exitCode = await runInTerminal(tool, args, flags);
      }
    });
}

/** Errors: ATB_USAGE for options that have no meaning for a tool in a terminal. */
function refuseAgentOptions(flags: RunFlags): void {
  const strays = [
    flags.dryRun && "--dry-run",
    flags.session !== undefined && "--session",
    flags.listSessions && "--list-sessions",
    flags.acpAgent !== undefined && "--acp-agent",
    flags.acpPermissionMode !== undefined && "--acp-permission-mode",
  ];
  const stray = strays.find((each) => each !== false);
  if (stray !== undefined) throw new AtlasBridgeError("ATB_USAGE", `${stray} requires --runtime acp`, {});
}

async function runInTerminal(tool: string, args: readonly string[], flags: RunFlags): Promise<number> {
  const { runTool } = await import("../../app/run/run-tool.js");
  // From here on the output belongs to the tool, and the run handles a closed pipe.
  process.stdout.removeAllListeners("error");
  const { path, nameless } = resolveRunFolder(flags.cwd);
  return runTool({
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
    quiet: flags.quiet,
  });
}

/** Options without meaning for an ACP agent are refused, not ignored. */
function buildAgentOptions(
  tool: string | undefined,
  args: readonly string[],
  flags: RunFlags,
): RunAgentOptions {
  const meaningless = [
    flags.adapter !== undefined && "--adapter",
    flags.ask && "--ask",
    !flags.hooks && "--no-hooks",
  ];
  const option = meaningless.find((each) => each !== false);
  if (option !== undefined)
    throw new AtlasBridgeError("ATB_USAGE", `${option} cannot be used with --runtime acp`, {
      hint: "An ACP agent asks through the protocol.",
    });
  if (flags.isolate)
    throw new AtlasBridgeError("ATB_USAGE", "--isolate works only for a tool in a terminal", {
      hint: "An ACP agent cannot be isolated yet.",
    });
  const { acpAgent, acpPermissionMode = null } = flags;
  if (acpAgent !== undefined && tool !== undefined)
    throw new AtlasBridgeError("ATB_USAGE", "the agent is named twice: by --acp-agent and as TOOL", {});
  const agent = acpAgent ?? tool;
  const { label = null, relay, relayRequired, quiet, dryRun } = flags;
  const { session = null, listSessions } = flags;
  return {
    command: agent === undefined ? [] : [agent, ...args],
    permissionMode: acpPermissionMode,
    label,
    cwd: resolveStartFolder(flags.cwd),
    relay,
    relayRequired,
    quiet,
    session,
    listSessions,
    dryRun,
  };
}
