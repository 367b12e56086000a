/** Parses one command line and runs its command, whatever commands there are. */
import { Command, CommanderError, Help, type Option } from "commander";
import { programVersion } from "../observe/program-version.js";
import { EXIT } from "../model/errors.js";
import { complainOf } from "./output.js";

/** Adds a command to the program. */
export type Register = (program: Command) => void;

export function buildProgram(commands: readonly Register[]): Command {
  const program = new Command("atlasbridge")
    .description(
      "Answer the questions of any AI CLI from your phone: exactly your answer, into exactly that question, once.",
    )
    .version(programVersion())
    // Options after the tool's name are the tool's (`run`).
    .enablePositionalOptions()
    .exitOverride()
    .configureHelp({ optionDescription, commandDescription });
  for (const register of commands) register(program);
  pointToHelp(program, program.name());
  return program;
}

/** That a flag is off until it is given needs no words. */
function optionDescription(this: Help, option: Option): string {
  return option.defaultValue === false
    ? option.description
    : Help.prototype.optionDescription.call(this, option);
}

function commandDescription(command: Command): string {
  return command.description() || command.summary();
}

/** After a mistake: the help of that very command. */
function pointToHelp(command: Command, words: string): void {
  command.showHelpAfterError(`(see ${words} --help)`);
  for (const each of command.commands) pointToHelp(each, `${words} ${each.name()}`);
}

/** Runs one command; the result is `process.exitCode`. */
export async function runCommandLine(argv: readonly string[], commands: readonly Register[]): Promise<void> {
  // A reader that has enough (`| head`) ends us quietly.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(EXIT.ok);
    throw error;
  });
  const stopGuard = guardAgainstSilentEnd();
  try {
    await buildProgram(commands).parseAsync(argv);
  } catch (error) {
    // Commander has printed its own message (or the help or the version) already.
    process.exitCode = error instanceof CommanderError ? error.exitCode : complainOf(error);
  } finally {
    stopGuard();
  }
}

/** Node ends, with code 0, when nothing is left to wait for. A command that waits for something that cannot come must not look done. */
function guardAgainstSilentEnd(): () => void {
  const complainOnce = (): void => {
    process.exitCode = complainOf(new Error("the command ended before it was through"));
  };
  process.once("beforeExit", complainOnce);
  return () => process.off("beforeExit", complainOnce);
}
