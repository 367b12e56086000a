import { resolve } from "node:path";
import type { Command } from "commander";
import type { ExecOptions } from "../../exec/exec-options.js";
import { readTask } from "../../exec/task-file.js";
import { tellUntilFile } from "../../exec/task-loop.js";
import { createUsageError } from "../../model/errors.js";
import { resolveStartFolder } from "../../observe/current-folder.js";
import { parseLabel, parseTime, parseWholeNumber } from "../parse-option.js";
import { askToRun } from "../run/run-flags.js";

interface ExecFlags {
  readonly prompt?: string;
  readonly promptFile?: string;
  readonly context?: string;
  readonly session?: string;
  readonly json: boolean;
  readonly allowTools?: readonly string[];
  readonly batch: boolean;
  readonly maxIterations?: number;
  readonly untilFile?: string;
  readonly timeout?: number;
  readonly fresh: boolean;
  readonly label?: string;
  readonly cwd?: string;
  readonly relay: boolean;
  readonly relayRequired: boolean;
  readonly quiet: boolean;
  readonly dryRun: boolean;
}

/** The default with `--until-file`: enough for a long task, and an end for one that never finishes. */
const LOOP_ITERATIONS = 10;
const ITERATIONS_MAX = 10_000;

export function registerExec(program: Command): void {
  program
    .command("exec")
    .summary("run a tool headless with a task and relay its prompts")
    .description(
      "Runs TOOL headless with a task. Its prompts are relayed to your phone, `atlasbridge watch` and this terminal.\n" +
        "Exit codes: 0 done, 1 not done (or a wrong option), 2 configuration, 3 not started, 5 stopped because something it needs was denied,\n" +
        "124 timeout, 127 no such tool, 130 Ctrl-C, 141 output closed, otherwise 128 plus the number of the signal.",
    )
    .argument(
      "[tool]",
      "an executable whose adapter supports headless runs (default: exec.tool of the configuration)",
    )
    .option("--prompt <text>", "the task")
    .option("--prompt-file <file>", "a file with the task; - is standard input")
    .option("--context <text>", "additional context for the task")
    .option("--session <id>", "resume this session of the tool")
    .option("--json", "print events as JSON lines", false)
    .option("--allow-tools <tools...>", "tools it may use without asking")
    .option("--batch", "relay nothing: the tool refuses what its own settings do not allow", false)
    .option(
      "--max-iterations <n>",
      "repeat the task up to this many times (default: 1; with --until-file: 10)",
      parseWholeNumber(1, ITERATIONS_MAX),
    )
    .option(
      "--until-file <file>",
      "tell the tool to create this file when all is done, and repeat the task until it exists (relative to --cwd)",
    )
    .option("--timeout <time>", "stop after this time: 90s, 30m, 2h", parseTime)
    .option("--fresh", "start a new loop instead of resuming an interrupted one", false)
    .option("--label <text>", "a name for this session on the cards (at most 80 characters)", parseLabel)
    .option("--cwd <dir>", "start the tool in this folder")
    .option("--no-relay", "use no hub: only this terminal can answer")
    .option("--relay-required", "do not start the tool unless a channel with an approver is connected", false)
    .option("--quiet", "do not print AtlasBridge's own lines", false)
    .option("--dry-run", "print the command without starting it", false)
    .action(async (tool: string | undefined, flags: ExecFlags) => {
      const options = await buildOptions(tool ?? null, flags);
      const { runExec: execTool } = await import("../../app/exec/exec.js");
      process.stdout.removeAllListeners("error");
      process.exitCode = await execTool(options);
    });
}

async function buildOptions(tool: string | null, flags: ExecFlags): Promise<ExecOptions> {
  const { context = null, session = null, untilFile = null, timeout = null, label = null } = flags;
  if (flags.batch && (flags.maxIterations ?? 1) > 1)
    throw createUsageError("--batch runs the task only once", "Omit either --batch or --max-iterations.");
  const { json, batch, fresh, relay, relayRequired, quiet, dryRun, allowTools = [] } = flags;
  if (!relay && relayRequired)
    throw createUsageError("--relay-required and --no-relay cannot be combined", "Omit one of them.");
  const cwd = resolveStartFolder(flags.cwd);
  const prompt = await readPrompt(flags);
  return {
    tool,
    prompt,
    task: tellUntilFile(prompt, untilFile),
    context,
    session,
    allowTools,
    batch,
    json,
    maxIterations: flags.maxIterations ?? (untilFile === null || batch ? 1 : LOOP_ITERATIONS),
    // The tool creates the file, in its own working directory.
    untilFile: untilFile === null ? null : resolve(cwd, untilFile),
    timeoutMs: timeout,
    fresh,
    label,
    cwd,
    relay,
    relayRequired,
    quiet,
    dryRun,
    askToRun,
  };
}

/** Errors: ATB_USAGE if there is none or both; those of `readTask`. */
async function readPrompt({ prompt, promptFile }: ExecFlags): Promise<string> {
  if ((prompt === undefined) === (promptFile === undefined))
    throw createUsageError(
      "give exactly one of --prompt TEXT and --prompt-file FILE",
      "A file keeps the task out of the process list.",
    );
  const text = prompt ?? (await readTask(promptFile ?? ""));
  if (text.trim() === "") throw createUsageError("the task is empty", "");
  return text;
}
