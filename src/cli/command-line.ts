/** Parses a command line and runs its command. */
import { Command, CommanderError, Help, type Option } from "commander";
import { getProgramVersion } from "../observe/program-version.js";
import { EXIT } from "../model/errors.js";
import { printError } from "./output.js";

/** Adds a command to the program. */
export type Register = (program: Command) => void;

export function buildProgram(commands: readonly Register[]): Command {
  const program = new Command("atlasbridge")
    .description(
      "Answer the prompts of any AI CLI from your phone: exactly your answer, to exactly that prompt, once.",
    )
    .version(getProgramVersion())
    // Options after the tool's name belong to the tool (`run`).
    .enablePositionalOptions()
    .exitOverride()
    .configureHelp({ optionDescription: describeOption, commandDescription: describeCommand });
  for (const register of commands) register(program);
  pointToHelp(program, program.name());
  return program;
}

/** Omits the default of flags that are off by default. */
function describeOption(this: Help, option: Option): string {
  return option.defaultValue === false
    ? option.description
    : Help.prototype.optionDescription.call(this, option);
}

function describeCommand(command: Command): string {
  return command.description() || command.summary();
}

/** After a mistake, points to the help of exactly that command. */
function pointToHelp(command: Command, words: string): void {
  command.showHelpAfterError(`(see ${words} --help)`);
  for (const each of command.commands) pointToHelp(each, `${words} ${each.name()}`);
}

/** Runs one command; the result is `process.exitCode`. */
export async function runCommandLine(argv: readonly string[], commands: readonly Register[]): Promise<void> {
  // If the reader closes the pipe (`| head`), we exit quietly.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(EXIT.ok);
    throw error;
  });
  const stopGuard = guardAgainstSilentEnd();
  try {
    await buildProgram(commands).parseAsync(argv);
  } catch (error) {
    // Commander has already printed its message, the help or the version.
    process.exitCode = error instanceof CommanderError ? error.exitCode : printError(error);
  } finally {
    stopGuard();
  }
}

/** Node exits with code 0 when nothing is left to wait for. A command that waits for something impossible must not look successful. */
function guardAgainstSilentEnd(): () => void {
  const complainOnce = (): void => {
    process.exitCode = printError(new Error("the command ended before it was finished"));
  };
  process.once("beforeExit", complainOnce);
  return () => process.off("beforeExit", complainOnce);
}
