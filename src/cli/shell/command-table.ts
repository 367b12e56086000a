/** The command line as plain data, from which completions are generated. Pure. */
import type { Argument, Command, Option } from "commander";
import { channelSchemas } from "../../plugins/channels/channel-schemas.js";

/** One of these words, a file, a folder, an executable, or (null) anything. */
export type ArgumentValues = readonly string[] | "file" | "folder" | "command" | null;

export interface OptionEntry {
  readonly flags: readonly string[];
  readonly summary: string;
  /** Missing: it takes no value. */
  readonly values?: ArgumentValues;
}

export interface CommandEntry {
  /** `channel add`; empty for the program itself. */
  readonly path: string;
  readonly subcommands: readonly { readonly name: string; readonly summary: string }[];
  readonly options: readonly OptionEntry[];
  readonly values: ArgumentValues;
  /** All words behind the first argument belong to another program. */
  readonly endsAtArgument: boolean;
}

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type CompletionShell = (typeof SHELLS)[number];

export function buildCommandTable(program: Command): CommandEntry[] {
  return listEntries(program, "");
}

function listEntries(command: Command, path: string): CommandEntry[] {
  const below = command.commands.map((each) => ({
    each,
    path: path === "" ? each.name() : `${path} ${each.name()}`,
  }));
  const [first] = command.registeredArguments;
  const entry: CommandEntry = {
    path,
    subcommands: command.commands.map((each) => ({ name: each.name(), summary: each.summary() })),
    options: [...command.options.map(toOption), { flags: ["--help", "-h"], summary: "show help" }],
    values: first === undefined ? null : findArgumentValues(first),
    endsAtArgument: first !== undefined && ["tool", "command"].includes(first.name()),
  };
  return [entry, ...below.flatMap(({ each, path: name }) => listEntries(each, name))];
}

function toOption(option: Option): OptionEntry {
  const { long, short, description, argChoices } = option;
  const flags = [long, short].filter((flag) => typeof flag === "string");
  const summary = description.split("\n", 1)[0] ?? "";
  if (!option.required && !option.optional) return { flags, summary };
  return { flags, summary, values: argChoices ?? findValues(/<(\w+)/.exec(option.flags)?.[1] ?? "") };
}

function findArgumentValues(argument: Argument): ArgumentValues {
  return argument.argChoices ?? findValues(argument.name());
}

/** `name` stands in the help for the value: `<file>`. */
function findValues(name: string): ArgumentValues {
  switch (name) {
    case "channel":
      return Object.keys(channelSchemas);
    case "tool":
    case "command":
      return "command";
    case "dir":
      return "folder";
    case "file":
    case "path":
    case "paths":
    case "scenario":
      return "file";
    default:
      return null;
  }
}

/** As `run:--label`. */
export function listValueOptions(table: readonly CommandEntry[]): string[] {
  return table.flatMap(({ path, options }) =>
    options.flatMap(({ flags, values }) =>
      values === undefined ? [] : flags.map((flag) => `${path}:${flag}`),
    ),
  );
}
