/** `atlasbridge run`: arguments only. */
import { Option, type Command } from "commander";
import { AtlasBridgeError } from "../model/errors.js";

interface RunFlags {
  readonly label?: string;
  readonly cwd?: string;
  readonly adapter?: string;
  readonly relay: boolean;
  readonly relayRequired: boolean;
  readonly ask: boolean;
  readonly hooks: boolean;
  readonly quiet: boolean;
}

export function registerRun(program: Command): void {
  program
    .command("run")
    .summary("run a tool in a terminal and relay its questions")
    .description("Runs TOOL exactly as without AtlasBridge, relays its questions, and exits as it did.")
    .argument("<tool>", "the executable to run")
    .argument("[args...]", "its arguments, untouched")
    .option("--label <text>", "a name for this session on the cards")
    .option("--cwd <dir>", "start the tool in this directory")
    .option("--adapter <name>", "use this adapter instead of the tool's own")
    .option("--no-relay", "no hub at all: only the terminal")
    .addOption(
      new Option("--relay-required", "do not start the tool unless its questions can be relayed")
        .default(false, "off")
        .conflicts("relay"),
    )
    .option("--ask", "start the tool in its mode that asks before it acts", false)
    .option("--no-hooks", "read the tool's screen only, even where it could tell us what it asks")
    .option("--quiet", "no line of ours at the start", false)
    .passThroughOptions()
    .action(async (tool: string, args: string[], flags: RunFlags) => {
      const { runTool } = await import("../app/run-tool.js");
      // From here on it is the tool's output, and the run minds what becomes of it.
      process.stdout.removeAllListeners("error");
      process.exitCode = await runTool({
        command: [tool, ...args],
        label: flags.label ?? null,
        cwd: flags.cwd ?? currentFolder(),
        adapter: flags.adapter ?? null,
        relay: flags.relay,
        relayRequired: flags.relayRequired,
        ask: flags.ask,
        hooks: flags.hooks,
        quiet: flags.quiet,
      });
    });
}

/** Errors: ATB_TOOL_START_FAILED where somebody has removed it: our paths, and most tools, would make no sense there. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new AtlasBridgeError("ATB_TOOL_START_FAILED", "the current directory was removed", {
      hint: "Change to one that is there.",
      cause,
    });
  }
}
