import { Option, type Command } from "commander";
import type { RunAgentOptions } from "../../app/run/run-agent.js";
import type { RunToolOptions } from "../../app/run/run-tool-options.js";
import { resolvePaths } from "../../config/paths.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { PERMISSION_MODES } from "../../model/permission-mode.js";
import { resolveStartFolder } from "../../observe/current-folder.js";
import { getOwnName } from "../own-name.js";
import { parseLabel, parseTime, parseWholeNumber } from "../parse-option.js";
import { askToRun, buildToolOptions, type RunFlags } from "../run/run-flags.js";

/** Passed in, so that each program bundles only the runner that it needs (ADR 10). Both return the exit code. */
export interface Runners {
  readonly runTool: (options: RunToolOptions) => Promise<number>;
  readonly runAgent: (options: RunAgentOptions) => Promise<number>;
}

export function registerRun(program: Command, { runTool, runAgent }: Runners): void {
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
    .option("--console", "let commands from outside be typed into this shell or interpreter", false)
    .option("--console-for-agents", "the same, also for agents over MCP, each command with your leave", false)
    .option(
      "--events <fd>",
      "write JSON events to this open file descriptor, from 3 (events.jsonl: 3>events.jsonl)",
      parseWholeNumber(FIRST_DESCRIPTOR, LAST_DESCRIPTOR),
    )
    .option("--start-within <time>", "end the tool if it has shown nothing by then (60s)", parseTime)
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
        if (tool === undefined) command.error(await describeMissingTool());
        else process.exitCode = await runTool(buildToolOptions(tool, args, flags));
      }
    });
}

/** The descriptors 0 to 2 are the tool's own. */
const FIRST_DESCRIPTOR = 3;
const LAST_DESCRIPTOR = 9999;

async function describeMissingTool(): Promise<string> {
  const { listTools, writeRunCommand } = await import("../../client/setup/asking-tools.js");
  const tools = await listTools(resolvePaths());
  const found =
    tools.length === 0
      ? ["No tool with an adapter is installed here; `atlasbridge adapter list` names all of them."]
      : ["These are installed here:", ...tools.map((tool) => `  ${writeRunCommand(tool, getOwnName())}`)];
  return ["error: name the tool to run", ...found, "Other programs can be run, too."].join("\n");
}

/** Errors: ATB_USAGE for options that only an ACP agent has. */
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

function buildAgentOptions(
  tool: string | undefined,
  args: readonly string[],
  flags: RunFlags,
): RunAgentOptions {
  const meaningless = [
    flags.adapter !== undefined && "--adapter",
    flags.ask && "--ask",
    flags.console && "--console",
    flags.consoleForAgents && "--console-for-agents",
    !flags.hooks && "--no-hooks",
    flags.startWithin !== undefined && "--start-within",
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
    events: flags.events ?? null,
    quiet,
    session,
    listSessions,
    dryRun,
    askToRun,
  };
}
