import { listValueOptions, type CommandEntry, type ArgumentValues } from "./command-table.js";

export function writeBashCompletion(table: readonly CommandEntry[]): string {
  return `# bash completion for atlasbridge: source <(atlasbridge completion bash)
_atlasbridge() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} at="" word i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case "\${at:+$at }$word" in
      ${quoteAll(table.flatMap(({ path }) => (path === "" ? [] : [path])))}) at="\${at:+$at }$word" ;;
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
  case "$at" in
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

function writeWords({ path, subcommands, values }: CommandEntry): string[] {
  const words = subcommands.length > 0 ? subcommands.map(({ name }) => name) : values;
  return words === null ? [] : [`    "${path}") ${writeReply(words)} ;;`];
}

function writeReply(values: ArgumentValues): string {
  const action = {
    file: "-f",
    folder: "-d",
    command: "-c",
  };
  if (values === null) return "COMPREPLY=()";
  const from = typeof values === "string" ? action[values] : `-W "${values.join(" ")}"`;
  return `mapfile -t COMPREPLY < <(compgen ${from} -- "$cur")`;
}
