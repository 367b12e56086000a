import {
  isNameKind,
  listValueOptions,
  type ArgumentValues,
  type CommandEntry,
  type OptionEntry,
} from "./command-table.js";

/** `at` is the command that was typed so far, `n` the number of its arguments. */
export function writeFishCompletion(table: readonly CommandEntry[]): string {
  const paths = table.flatMap(({ path }) => (path === "" ? [] : [quote(path)]));
  const passing = table.flatMap(({ path, endsAtArgument }) => (endsAtArgument ? [quote(path)] : []));
  return `# fish completion for atlasbridge: atlasbridge completion fish | source
function __atlasbridge_typed
    set -l at ''
    set -l n 0
    set -l previous ''
    for word in (commandline -opc)[2..-1]
        if contains -- (string trim -- "$at $word") ${paths.join(" ")}
            set at (string trim -- "$at $word")
            set n 0
        else if not contains -- "$at:$previous" ${listValueOptions(table).map(quote).join(" ")}
            string match -q -- '-*' $word; or set n (math $n + 1)
        end
        set previous $word
    end
    echo "$at"
    echo $n
end
function __atlasbridge_behind_tool
    set -l typed (__atlasbridge_typed)
    contains -- "$typed[1]" ${passing.join(" ")}; and test $typed[2] -gt 0
end
function __atlasbridge_at
    set -l typed (__atlasbridge_typed)
    test "$typed[1]" = "$argv[1]"; and contains -- $typed[2] $argv[2..-1]
end
function __atlasbridge_in
    test (__atlasbridge_typed)[1] = "$argv[1]"; and not __atlasbridge_behind_tool
end
function __atlasbridge_names
    set -l program (commandline -opc)[1]
    $program completion $argv[1] 2>/dev/null
end
complete -c atlasbridge -f
complete -c atlasbridge -n __atlasbridge_behind_tool -F
${table.flatMap((entry) => [...writeSubcommands(entry), ...writeArguments(entry), ...writeOptions(entry)]).join("\n")}
`;
}

function writeSubcommands({ path, subcommands }: CommandEntry): string[] {
  return subcommands.map(
    ({ name, summary }) =>
      `complete -c atlasbridge -n ${writeCondition("at", path, "0")} -a ${name} -d ${quote(summary)}`,
  );
}

/** A repeated argument is offered this often. */
const REPEATED = "0 1 2 3 4 5 6 7 8 9";

function writeArguments({ path, subcommands, arguments: args, endsAtArgument }: CommandEntry): string[] {
  if (subcommands.length > 0) return [];
  return args.flatMap(({ values, variadic }, at) => {
    if (values === null || (endsAtArgument && at > 0)) return [];
    const places = variadic && !endsAtArgument ? REPEATED : String(at);
    return [`complete -c atlasbridge -n ${writeCondition("at", path, places)} ${writeValues(values)}`];
  });
}

function writeOptions({ path, options }: CommandEntry): string[] {
  return options.map(
    (option) => `complete -c atlasbridge -n ${writeCondition("in", path)} ${writeOption(option)}`,
  );
}

function writeCondition(check: "at" | "in", path: string, places = ""): string {
  return quote(`__atlasbridge_${check} "${path}" ${places}`.trimEnd());
}

function writeOption({ flags, summary, values }: OptionEntry): string {
  const names = flags.map((flag) => (flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  const value = values === undefined ? [] : [values === null ? "-x" : `-r ${writeValues(values)}`];
  return [...names, ...value, `-d ${quote(summary)}`].join(" ");
}

function writeValues(values: NonNullable<ArgumentValues>): string {
  if (values === "file") return "-F";
  if (values === "folder") return `-f -a ${quote("(__fish_complete_directories)")}`;
  // Too many programs are found to be shown before a letter of the name is typed.
  const programs = "(test -n (commandline -ct); and __fish_complete_command)";
  if (values === "tools") return `-f -a ${quote(`(__atlasbridge_names tools) ${programs}`)}`;
  if (values === "command") return `-f -a ${quote("(__fish_complete_command)")}`;
  if (isNameKind(values)) return `-f -a ${quote(`(__atlasbridge_names ${values})`)}`;
  return `-f -a ${quote(values.join(" "))}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
