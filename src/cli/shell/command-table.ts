/** The command line as plain data, from which completions are generated. Pure. */
import type { Argument, Command, Option } from "commander";
import type { NameKind } from "../../client/completion-names.js";
import { channelSchemas } from "../../plugins/channels/channel-schemas.js";

/** One of these words, a file, a folder, an executable, a name that `atlasbridge completion KIND` lists, or (null) anything. */
export type ArgumentValues = readonly string[] | "file" | "folder" | "command" | NameKind | null;

export interface OptionEntry {
  readonly flags: readonly string[];
  readonly summary: string;
  /** Missing: it takes no value. */
  readonly values?: ArgumentValues;
}

export interface ArgumentEntry {
  readonly values: ArgumentValues;
  /** It may be repeated. */
  readonly variadic: boolean;
}

export interface CommandEntry {
  /** `channel add`; empty for the program itself. */
  readonly path: string;
  readonly subcommands: readonly { readonly name: string; readonly summary: string }[];
  readonly options: readonly OptionEntry[];
  readonly arguments: readonly ArgumentEntry[];
  /** All words behind the first argument belong to another program. */
  readonly endsAtArgument: boolean;
}

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type CompletionShell = (typeof SHELLS)[number];
export const NAME_KINDS = [
  "tools",
  "adapters",
  "sessions",
  "prompts",
  "people",
  "grants",
] as const satisfies NameKind[];

export function isNameKind(word: unknown): word is NameKind {
  return NAME_KINDS.some((kind) => kind === word);
}

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
    options: [
      ...command.options.map((option) => toOption(option, path)),
      { flags: ["--help", "-h"], summary: "show help" },
    ],
    arguments: command.registeredArguments.map((argument) => toArgument(argument, path)),
    endsAtArgument: first !== undefined && ["tool", "command"].includes(first.name()),
  };
  return [entry, ...below.flatMap(({ each, path: name }) => listEntries(each, name))];
}

function toOption(option: Option, path: string): OptionEntry {
  const { long, short, description, argChoices } = option;
  const flags = [long, short].filter((flag) => typeof flag === "string");
  const summary = description.split("\n", 1)[0] ?? "";
  if (!option.required && !option.optional) return { flags, summary };
  const isAdapter = long === "--adapter" || long === "--tool";
  const name = isAdapter ? "adapter" : (/<(\w+)/.exec(option.flags)?.[1] ?? "");
  return { flags, summary, values: argChoices ?? findValues(name, path) };
}

function toArgument(argument: Argument, path: string): ArgumentEntry {
  const values = argument.argChoices ?? findValues(argument.name(), path);
  return { values, variadic: argument.variadic };
}

/** `name` stands in the help for the value: `<file>`. */
function findValues(name: string, path: string): ArgumentValues {
  const [group, action] = path.split(" ");
  switch (name) {
    case "channel":
      return Object.keys(channelSchemas);
    case "tool":
      return "tools";
    case "command":
      return "command";
    case "dir":
      return "folder";
    case "file":
    case "path":
    case "paths":
    case "scenario":
      return "file";
    case "session":
      return "sessions";
    case "shortid":
      return "prompts";
    case "adapter":
      return "adapters";
    case "id":
      return group === "grants" ? "grants" : null;
    case "from":
    case "into":
    case "name":
    case "names":
      if (group === "people" || group === "delegate") return "people";
      return group === "adapter" && action !== "new" && action !== "bundle" ? "adapters" : null;
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
