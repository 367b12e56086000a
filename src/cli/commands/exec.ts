/** `atlasbridge exec`: arguments only. */
import { resolve } from "node:path";
import { InvalidArgumentError, type Command } from "commander";
import type { ExecOptions } from "../../exec/exec-options.js";
import { readTask } from "../../exec/task-file.js";
import { DEADLINE_MAX_DAYS, parseDuration } from "../../config/schema.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { startFolder } from "../../observe/current-folder.js";

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

/** With `--until-file` and no number: enough for a long task, and an end to one that never gets there. */
const LOOP_ITERATIONS = 10;
const ITERATIONS_MAX = 10_000;

export function registerExec(program: Command): void {
  program
    .command("exec")
    .summary("give a tool a task without its interface, and relay what it asks")
    .description(
      "Gives TOOL a task without its interface. What it wants to do is asked for on your phone, in `atlasbridge watch`, and here.\n" +
        "Exit codes: 0 done, 1 not done (or a wrong option), 2 configuration, 3 not started, 5 stopped because it was refused what it needs,\n" +
        "124 out of time, 127 no such tool, 130 Ctrl-C, 141 nobody reads its output, else 128 and the number of the signal.",
    )
    .argument("<tool>", "an executable whose adapter file says how it is run without its interface")
    .option("--prompt <text>", "the task")
    .option("--prompt-file <file>", "a file with the task; - is standard input")
    .option("--context <text>", "what the tool should know in addition")
    .option("--session <id>", "resume this session of the tool")
    .option("--json", "print what happens as lines of JSON", false)
    .option("--allow-tools <tools...>", "what it may use without asking")
    .option("--batch", "ask nobody: the tool refuses what its own settings do not allow", false)
    .option(
      "--max-iterations <n>",
      "give the task again, up to this many times (1; with --until-file: 10)",
      iterations,
    )
    .option("--until-file <file>", "give the task again until this file exists (in the directory of --cwd)")
    .option("--timeout <time>", "end it after this long: 90s, 30m, 2h", time)
    .option("--fresh", "begin a new loop instead of going on with one that was broken off", false)
    .option("--label <text>", "a name for this session on the cards")
    .option("--cwd <dir>", "start the tool in this folder")
    .option("--no-relay", "use no hub: only this terminal answers")
    .option("--relay-required", "do not start the tool unless a channel with an approver is connected", false)
    .option("--quiet", "print no lines of AtlasBridge", false)
    .option("--dry-run", "say what would be started and start nothing", false)
    .action(async (tool: string, flags: ExecFlags) => {
      const options = await optionsOf(tool, flags);
      const { execTool } = await import("../../app/exec/exec.js");
      process.stdout.removeAllListeners("error");
      process.exitCode = await execTool(options);
    });
}

async function optionsOf(tool: string, flags: ExecFlags): Promise<ExecOptions> {
  const { context = null, session = null, untilFile = null, timeout = null, label = null } = flags;
  if (flags.batch && ((flags.maxIterations ?? 1) > 1 || untilFile !== null))
    throw usage("--batch does its task once", "Leave out --batch, or --max-iterations and --until-file.");
  const { json, batch, fresh, relay, relayRequired, quiet, dryRun, allowTools = [] } = flags;
  if (!relay && relayRequired)
    throw usage("--relay-required and --no-relay exclude each other", "Leave out one.");
  const cwd = startFolder(flags.cwd);
  return {
    tool,
    prompt: await promptOf(flags),
    context,
    session,
    allowTools,
    batch,
    json,
    maxIterations: flags.maxIterations ?? (untilFile === null ? 1 : LOOP_ITERATIONS),
    // The tool makes it, and works in its own directory.
    untilFile: untilFile === null ? null : resolve(cwd, untilFile),
    timeoutMs: timeout,
    fresh,
    label,
    cwd,
    relay,
    relayRequired,
    quiet,
    dryRun,
  };
}

/** Errors: ATB_USAGE where there is none, or two; those of `readTask`. */
async function promptOf({ prompt, promptFile }: ExecFlags): Promise<string> {
  if ((prompt === undefined) === (promptFile === undefined))
    throw usage(
      "give exactly one of --prompt TEXT and --prompt-file FILE",
      "A file keeps it out of the process list.",
    );
  const text = prompt ?? (await readTask(promptFile ?? ""));
  if (text.trim() === "") throw usage("the task is empty", "");
  return text;
}

function iterations(text: string): number {
  const count = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > ITERATIONS_MAX)
    throw new InvalidArgumentError(`a number from 1 to ${ITERATIONS_MAX}`);
  return count;
}

function time(text: string): number {
  const ms = parseDuration(text);
  if (ms === null || ms === 0)
    throw new InvalidArgumentError(`a duration such as 90s, 30m or 2h, up to ${DEADLINE_MAX_DAYS}d`);
  return ms;
}

function usage(message: string, hint: string): AtlasBridgeError {
  return new AtlasBridgeError("ATB_USAGE", message, { hint });
}
