/** The completion script for zsh, to be sourced or installed in `fpath` as `_atlasbridge`. */
import {
  isNameKind,
  listValueOptions,
  type CommandEntry,
  type OptionEntry,
  type ArgumentValues,
} from "./command-table.js";

export function writeZshCompletion(table: readonly CommandEntry[]): string {
  return `#compdef atlasbridge
# zsh completion for atlasbridge: source <(atlasbridge completion zsh)
_atlasbridge_names() {
  compadd -- "\${(@f)$("\${words[1]}" completion "$1" 2>/dev/null)}"
}
_atlasbridge() {
  local at="" word
  local -i i n=0
  local -a list
  for ((i = 2; i < CURRENT; i++)); do
    word=\${words[i]}
    case "\${at:+$at }$word" in
      ${joinAlternatives(table.flatMap(({ path }) => (path === "" ? [] : [path])))}) at="\${at:+$at }$word" n=0 ;;
      *)
        case "$at:\${words[i-1]}" in
          ${joinAlternatives(listValueOptions(table))}) ;;
          *)
            case "$at:$word" in
              *:-*) ;;
              (${table.flatMap(({ path, endsAtArgument }) => (endsAtArgument ? [`"${path}":*`] : [])).join("|")}) _default; return ;;
              *) ((n += 1)) ;;
            esac
            ;;
        esac
        ;;
    esac
  done
  case "$at:\${words[CURRENT-1]}" in
${table.flatMap(writeOptionValues).join("\n")}
  esac
  if [[ \${words[CURRENT]} == -* ]]; then
    case "$at" in
${table.map(writeOptions).join("\n")}
    esac
    _describe -o option list
    return
  fi
  case "$at:$n" in
${table.flatMap(writeWords).join("\n")}
  esac
}
if [[ "\${funcstack[1]}" == _atlasbridge ]]; then
  _atlasbridge "$@"
else
  compdef _atlasbridge atlasbridge
fi
`;
}

function joinAlternatives(words: readonly string[]): string {
  return `(${words.map((word) => `"${word}"`).join("|")}`;
}

function writeOptionValues({ path, options }: CommandEntry): string[] {
  return options.flatMap(({ flags, values }) =>
    values === undefined
      ? []
      : [
          `    ${joinAlternatives(flags.map((flag) => `${path}:${flag}`))}) ${writeAction(values)}; return ;;`,
        ],
  );
}

function writeOptions({ path, options }: CommandEntry): string {
  return `      "${path}") list=(${options.flatMap(describeOption).join(" ")}) ;;`;
}

function describeOption({ flags, summary }: OptionEntry): string[] {
  return flags.map((flag) => quote(`${flag}:${summary}`));
}

function writeWords({ path, subcommands, arguments: args }: CommandEntry): string[] {
  if (subcommands.length > 0) {
    const words = subcommands.map(({ name, summary }) => quote(`${name}:${summary}`));
    return [`    "${path}:0") list=(${words.join(" ")}); _describe command list ;;`];
  }
  return args.flatMap(({ values, variadic }, at) =>
    values === null ? [] : [`    "${path}:"${variadic ? "*" : at}) ${writeAction(values)} ;;`],
  );
}

function writeAction(values: ArgumentValues): string {
  if (values === null) return "_message value";
  if (values === "file") return "_files";
  if (values === "folder") return "_files -/";
  if (values === "command") return "_command_names -e";
  // Too many programs are found to be shown before a letter of the name is typed.
  if (values === "tools")
    return `if [[ -n \${words[CURRENT]} ]]; then ${writeAction("command")}; else _atlasbridge_names tools; fi`;
  if (isNameKind(values)) return `_atlasbridge_names ${values}`;
  return `compadd -- ${values.join(" ")}`;
}

/** One shell word. `_describe` ends the name at the first colon. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
