import { Command, CommanderError, Help, type Option } from "commander";
import { getProgramVersion } from "../observe/package-root.js";
import { createUsageError } from "../model/errors.js";
import { runGuarded } from "./run-guarded.js";

export type Register = (program: Command) => void;

export function buildProgram(commands: readonly Register[]): Command {
  const program = new Command("atlasbridge")
    .description(
      "Answer the prompts of any AI CLI from your phone: exactly your answer, to exactly that prompt, once.",
    )
    .version(getProgramVersion(), "-v, --version", "print the version")
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

export function runCommandLine(argv: readonly string[], commands: readonly Register[]): Promise<void> {
  return runGuarded(async () => {
    refuseChatWord(argv[2]);
    await buildProgram(commands)
      .parseAsync(argv)
      .catch((error: unknown) => {
        // Commander has already printed its message, the help or the version.
        if (!(error instanceof CommanderError)) throw error;
        process.exitCode = error.exitCode;
      });
  });
}

/** Words that only a chat understands, and what to do instead at this machine. */
const CHAT_WORDS: Readonly<Record<string, string>> = {
  task: "Here, type the task into the tool's own terminal. `atlasbridge exec` runs one without a terminal.",
  stop: "Here, interrupt the tool at its own terminal. `atlasbridge pause` accepts no more answers.",
  screen: "Here, look at the tool's own terminal. `atlasbridge sessions NAME` says what the session does.",
  show: "Here, `atlasbridge prompts` shows every open prompt with its content.",
};

/** Errors: ATB_USAGE. */
function refuseChatWord(word = ""): void {
  const instead = Object.hasOwn(CHAT_WORDS, word) ? CHAT_WORDS[word] : undefined;
  if (instead !== undefined)
    throw createUsageError(
      `${JSON.stringify(word)} is a word for the chat, not for the command line`,
      instead,
    );
}
