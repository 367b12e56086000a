import type { CommandEntry, OptionEntry, ArgumentValues } from "./command-table.js";

export function writeFishCompletion(table: readonly CommandEntry[]): string {
  const lines = table.flatMap((entry) => [
    ...writeSubcommands(entry),
    ...writeArguments(entry),
    ...writeOptions(entry),
  ]);
  return `# fish completion for atlasbridge: atlasbridge completion fish | source
complete -c atlasbridge -f
${lines.join("\n")}
`;
}

/** The words of the path were typed, but no subcommand. */
function writeCondition({ path, subcommands }: CommandEntry): string {
  const below = subcommands.map(({ name }) => name).join(" ");
  const words = path === "" ? [] : path.split(" ");
  const typed = words.map((word) => `__fish_seen_subcommand_from ${word}`);
  const open = below === "" ? [] : [`not __fish_seen_subcommand_from ${below}`];
  return quote([...typed, ...open].join("; and ") || "true");
}

function writeSubcommands(entry: CommandEntry): string[] {
  const condition = writeCondition(entry);
  return entry.subcommands.map(
    ({ name, summary }) => `complete -c atlasbridge -n ${condition} -a ${name} -d ${quote(summary)}`,
  );
}

function writeArguments(entry: CommandEntry): string[] {
  if (entry.values === null || entry.subcommands.length > 0) return [];
  return [`complete -c atlasbridge -n ${writeCondition(entry)} ${writeValues(entry.values)}`];
}

function writeOptions(entry: CommandEntry): string[] {
  const condition = writeCondition(entry);
  return entry.options.map((option) => `complete -c atlasbridge -n ${condition} ${writeOption(option)}`);
}

function writeOption({ flags, summary, values }: OptionEntry): string {
  const names = flags.map((flag) => (flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  const value = values === undefined ? [] : ["-r", ...(values === null ? [] : [writeValues(values)])];
  return [...names, ...value, `-d ${quote(summary)}`].join(" ");
}

function writeValues(values: NonNullable<ArgumentValues>): string {
  if (values === "file") return "-F";
  if (values === "folder") return `-a ${quote("(__fish_complete_directories)")}`;
  if (values === "command") return `-a ${quote("(__fish_complete_command)")}`;
  return `-a ${quote(values.join(" "))}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
