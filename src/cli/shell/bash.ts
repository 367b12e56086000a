import { isNameKind, listValueOptions, type CommandEntry, type ArgumentValues } from "./command-table.js";

/** `at` is the command that was typed so far, `n` the number of its arguments. */
export function writeBashCompletion(table: readonly CommandEntry[]): string {
  return `# bash completion for atlasbridge: source <(atlasbridge completion bash)
_atlasbridge_names() {
  local name
  COMPREPLY=()
  while IFS= read -r name; do
    [[ $name != "$cur"* ]] || COMPREPLY+=("$(printf %q "$name")")
  done < <("\${COMP_WORDS[0]}" completion "$1" 2>/dev/null)
}
_atlasbridge() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} at="" n=0 word i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case "\${at:+$at }$word" in
      ${quoteAll(table.flatMap(({ path }) => (path === "" ? [] : [path])))}) at="\${at:+$at }$word" n=0 ;;
      *)
        case "$at:\${COMP_WORDS[i-1]}" in
          ${quoteAll(listValueOptions(table))}) ;;
          *)
            case "$at:$word" in
              *:-*) ;;
              ${table.flatMap(({ path, endsAtArgument }) => (endsAtArgument ? [`"${path}:"*`] : [])).join(" | ")})
                compopt -o default
                return
                ;;
              *) ((n += 1)) ;;
            esac
            ;;
        esac
        ;;
    esac
  done
  case "$at:$prev" in
${table.flatMap(writeOptionValues).join("\n")}
  esac
  if [[ $cur == -* ]]; then
    case "$at" in
${table.map(writeOptions).join("\n")}
    esac
    return
  fi
  case "$at:$n" in
${table.flatMap(writeWords).join("\n")}
  esac
}
complete -F _atlasbridge atlasbridge
`;
}

function quoteAll(words: readonly string[]): string {
  return words.map((word) => `"${word}"`).join(" | ");
}

function writeOptionValues({ path, options }: CommandEntry): string[] {
  return options.flatMap(({ flags, values }) =>
    values === undefined
      ? []
      : [`    ${quoteAll(flags.map((flag) => `${path}:${flag}`))}) ${writeReply(values)}; return ;;`],
  );
}

function writeOptions({ path, options }: CommandEntry): string {
  return `      "${path}") ${writeReply(options.flatMap(({ flags }) => flags))} ;;`;
}

function writeWords({ path, subcommands, arguments: args }: CommandEntry): string[] {
  if (subcommands.length > 0)
    return [`    "${path}:0") ${writeReply(subcommands.map(({ name }) => name))} ;;`];
  return args.flatMap(({ values, variadic }, at) =>
    values === null ? [] : [`    "${path}:"${variadic ? "*" : at}) ${writeReply(values)} ;;`],
  );
}

function writeReply(values: ArgumentValues): string {
  if (values === null) return "COMPREPLY=()";
  // Too many programs are found to be shown before a letter of the name is typed.
  if (values === "tools")
    return `if [[ $cur ]]; then ${writeReply("command")}; else _atlasbridge_names tools; fi`;
  if (isNameKind(values)) return `_atlasbridge_names ${values}`;
  const actions = { file: "-f", folder: "-d", command: "-c" };
  const from = typeof values === "string" ? actions[values] : `-W "${values.join(" ")}"`;
  return `mapfile -t COMPREPLY < <(compgen ${from} -- "$cur")`;
}
