/** The commented program file that `adapter new --program` writes. It is valid as it is; its author changes what does not fit. */

export interface NewProgram {
  readonly name: string;
  /** The program's executable. */
  readonly executable: string;
}

export function buildProgramFile({ name, executable }: NewProgram): string {
  return `# How ${name} is driven: docs/how-to/drive-a-shell.md says how to go on, docs/reference/program-keys.md lists every key.
schema: 1
name: ${name}
version: 0.1.0
description: ${name}
# shell, repl or debugger.
family: repl
# Delete this line once \`atlasbridge adapter test ${name}\` is green.
tested: false

process:
  # The first that exists is started.
  executable_candidates: [${JSON.stringify(executable)}]
  line_ending: "\\n"

# The surer way: a program that runs code before each prompt prints marks (init.strategy: shell_integration). Copy a shipped file then:
# bash, zsh, fish, python and node do that.
ready: { wait_for_event: regex }
init: { strategy: regex }

prompt:
  strategy: regex
  # The line at which the program waits for a command, as it is drawn.
  primary: '^> $'
  # The line at which it asks for the rest of one, and what surely brings it back from there.
  # continuation: '^\.\.\. $'
  # continuation_escape: "\\x03"

output:
  # fuzzy_byte_match also knows line editors that draw the prompt anew with each key.
  input_echo_strategy: fuzzy_byte_match

input:
  # Blocks of several lines are refused until the file says how they go in: through a file (tempfile), or line by line (prompt_based).
  multiline_detect: none

# null: it has no such key, or the key would end the whole program.
signals: { interrupt: "\\x03", eof: "\\x04", suspend: null }

lifecycle:
  shutdown: { command: exit, grace_ms: 1000, force_signal: kill }

capabilities:
  interrupt: true
  exit_code: false
  user_busy_detection: process_polling

# One command that shows that it works, and what its output must match.
probe: { eval: "1 + 1", expect: '^2$' }

tests:
  - { name: output, eval: "2 + 3", expect: '^5$' }
  - { name: state stays, setup: "x = 42", eval: "x + 1", expect: '^43$' }
  - { name: an error, eval: no_such_name, expect: 'no_such_name' }
  - { name: after an error, setup: no_such_name, eval: "2 + 3", expect: '^5$' }
  - { name: no output, eval: "x = 1", expect: '^$' }
`;
}
