import { resolve } from "node:path";
import { Argument, type Command } from "commander";
import type { runInConsole } from "../../client/ask-console.js";
import type { ConsoleResult } from "../../wire/calls/console-calls.js";
import { AtlasBridgeError, EXIT } from "../../model/errors.js";
import { printOutput } from "../console/print-output.js";
import { readCommand } from "../console/read-command.js";
import { CommandFailed, printLines, printResult } from "../output.js";

interface SendFlags {
  readonly timeout: string;
  readonly wait: boolean;
  readonly interrupt: boolean;
  readonly eof: boolean;
  readonly suspend: boolean;
  readonly cd?: string;
  readonly input?: string;
  readonly screen: boolean;
  readonly raw: boolean;
  readonly json: boolean;
}

export function registerSend(program: Command): void {
  program
    .command("send")
    .summary("run a command in a session's shell or interpreter")
    .description(
      "Types COMMAND into a session that was started with `run --console`, waits, prints its output, and exits with its exit code.\n" +
        "A command of several lines may be given as one argument, or as the standard input. Exit code 124: the time was up and the command goes on (--wait).\n" +
        "The output is what a terminal shows of it: tabs are blanks, and of a bar only its end is left. --raw prints its bytes.",
    )
    .argument("<session>", "the session's id, the beginning of it, or its label")
    .argument("[command...]", "the command, after --; its words are joined by blanks")
    .option("--timeout <seconds>", "how long to wait, at most 3600", "30")
    .option("--wait", "wait for the command that is still running", false)
    .option("--cd <directory>", "take the program to this directory first; it stays there")
    .option("--interrupt", "interrupt the command that is running", false)
    .option("--eof", "end the input of the command that is running (Ctrl-D)", false)
    .option("--suspend", "suspend the command that is running (Ctrl-Z)", false)
    .option("--input <text>", "type a line for the command that is running")
    .option("--screen", "print the session's screen", false)
    .option("--raw", "print the bytes of the output, once the command has ended", false)
    .option("--json", "print one JSON object", false)
    .action(async (session: string, given: string[], flags: SendFlags) => {
      const timeoutMs = parseTimeout(flags.timeout);
      const words = given.join(" ");
      const { raw, json } = flags;
      if (raw && json) throw usageError("--raw and --json exclude one another");
      const actions = findActions(flags);
      if (actions.length > 0) {
        if (actions.length > 1 || words !== "" || flags.wait || raw) throw usageError(ALONE);
        await act(session, actions, flags);
      } else {
        const isPiped = words === "" && !flags.wait && !process.stdin.isTTY;
        const text = isPiped ? await readCommand(process.stdin) : words;
        if (flags.wait === (text !== ""))
          throw usageError("give a command after --, or as the standard input, or --wait");
        const directory = flags.cd === undefined ? undefined : resolve(flags.cd);
        const wish = { command: text, timeoutMs, directory, ...(raw ? { raw } : {}) };
        const run = () => (flags.wait ? waitFor(session, timeoutMs, raw) : runCommand(session, wish));
        await printResult(json, run, (result) => {
          printOutput(result, { raw, isTerminal: process.stdout.isTTY });
          return [];
        });
      }
    });
  program
    .command("console")
    .summary("open or close a session to commands from outside")
    .addArgument(
      new Argument("<change>", "agents: on, and for agents over MCP as well").choices([
        "on",
        "off",
        "agents",
      ]),
    )
    .argument("<session>", "the session's id, the beginning of it, or its label")
    .action(async (change: keyof typeof CHANGED, session: string) => {
      const { setConsole } = await import("../../client/ask-console.js");
      const problem = await setConsole(session, { open: change !== "off", agents: change === "agents" });
      if (problem !== null) throw new CommandFailed("closed", problem);
      printLines([CHANGED[change]]);
    });
}

const CHANGED = {
  on: "The console is open.",
  off: "The console is closed.",
  agents:
    "The console is open, also to agents: each of their commands is asked of you, or answered by your rules.",
} as const;

async function runCommand(session: string, wish: Parameters<typeof runInConsole>[1]): Promise<ConsoleResult> {
  const { runInConsole } = await import("../../client/ask-console.js");
  return takeOver(await runInConsole(session, wish));
}

async function waitFor(session: string, timeoutMs: number, raw: boolean): Promise<ConsoleResult> {
  const { actOnConsole } = await import("../../client/ask-console.js");
  const { result, problem } = await actOnConsole(session, {
    action: "wait",
    timeoutMs,
    ...(raw ? { raw } : {}),
  });
  if (result === null) throw new CommandFailed("not_running", problem ?? "no command is running");
  return takeOver(result);
}

const ACTIONS = ["interrupt", "eof", "suspend", "input", "screen"] as const;
const ALONE = "--interrupt, --eof, --suspend, --input and --screen stand alone";

function findActions(flags: SendFlags): readonly (typeof ACTIONS)[number][] {
  return ACTIONS.filter((action) => flags[action] !== undefined && flags[action] !== false);
}

async function act(
  session: string,
  [action = "screen"]: readonly (typeof ACTIONS)[number][],
  { input, json }: SendFlags,
): Promise<void> {
  const { actOnConsole } = await import("../../client/ask-console.js");
  const work = async () => {
    const done = await actOnConsole(session, { action, input, timeoutMs: 0 });
    if (done.problem !== null)
      throw new CommandFailed(
        "refused",
        action === "screen" ? done.problem : `nothing was typed: ${done.problem}`,
      );
    return { text: done.text ?? "" };
  };
  await printResult(json, work, (done) => (done.text === "" ? [] : [done.text]));
}

function takeOver(result: ConsoleResult): ConsoleResult {
  const { state, note, exitCode, isIncomplete } = result;
  if (state === "refused") throw new CommandFailed("refused", `nothing was typed: ${note}`);
  // A program without exit codes does not report a failure. A command that ran only in part did not succeed.
  const isPart = isIncomplete || note !== "";
  process.exitCode =
    state === "running"
      ? EXIT.timedOut
      : state === "ended" || (isPart && !exitCode)
        ? EXIT.error
        : (exitCode ?? EXIT.ok);
  return result;
}

function parseTimeout(text: string): number {
  const seconds = Number(text);
  if (!(seconds > 0 && seconds <= 3600))
    throw usageError(`--timeout: expected more than 0 and at most 3600 seconds, found ${text}`);
  return Math.round(seconds * 1000);
}

function usageError(message: string): AtlasBridgeError {
  return new AtlasBridgeError("ATB_USAGE", message, { hint: "Examples: atlasbridge send --help" });
}
