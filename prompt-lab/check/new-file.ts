/** `adapter new`: writes a commented adapter with two scenarios, or a commented program file. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { resolvePaths } from "../../src/config/paths.js";
import type { AtlasBridgeError } from "../../src/model/errors.js";
import { createUsageError } from "../../src/model/errors.js";
import { findPackageRoot } from "../../src/observe/package-root.js";
import { listAdapterNames } from "../../src/plugins/adapters/adapters.js";
import { buildSchemaLine } from "../../src/plugins/schema-line.js";
import type { Shape } from "../../src/worker/adapter-format/adapter-file.js";
import { isProgram } from "./adapter-files.js";

export interface NewFileOptions {
  readonly name: string;
  readonly executable: string;
  /** Writes into this checkout instead of the user's configuration. */
  readonly intoPackage: boolean;
}

const ADAPTER_NAME = /^[a-z][a-z0-9_-]{0,39}$/;
const PROGRAM_NAME = /^[A-Za-z][A-Za-z0-9_.+-]{0,39}$/;

/** Returns the written files. Errors: ATB_USAGE (invalid name, or a file exists). */
export function createAdapter({ name, executable, intoPackage }: NewFileOptions): string[] {
  const paths = resolvePaths();
  if (!ADAPTER_NAME.test(name))
    throw createUsageError(
      `"${name}" is not a valid adapter name`,
      "Lower-case letters, digits, - and _, at most 40.",
    );
  if (listAdapterNames(paths).includes(name)) throw createExistsError("adapter", name);
  const [adapters, scenarios] = intoPackage
    ? [join(findPackageRoot(), "adapters"), join(findPackageRoot(), "prompt-lab", "scenarios", name)]
    : [paths.adaptersDir, join(paths.scenariosDir, name)];
  const { adapter, scenarios: first } = createAdapterFiles(name, executable);
  const firstLine = intoPackage
    ? buildRelativeSchemaLine("../schemas/adapter.schema.json")
    : buildSchemaLine("adapter");
  const files = [
    { file: join(adapters, `${name}.yaml`), text: firstLine + adapter },
    ...first.map(({ name: scenario, text }) => ({ file: join(scenarios, `${scenario}.json`), text })),
  ];
  for (const { file, text } of files) writeNew(file, text);
  return files.map(({ file }) => file);
}

/** Returns the written file. Errors: ATB_USAGE (invalid name, or the file exists). */
export function createProgram({ name, executable, intoPackage }: NewFileOptions): string {
  if (!PROGRAM_NAME.test(name))
    throw createUsageError(
      `"${name}" is not a valid name of a program`,
      "Letters, digits and . + - _, at most 40, a letter first.",
    );
  if (isProgram(name)) throw createExistsError("program file", name);
  const folder = intoPackage ? join(findPackageRoot(), "adapters") : resolvePaths().adaptersDir;
  const file = join(folder, "programs", `${name}.yaml`);
  const firstLine = intoPackage
    ? buildRelativeSchemaLine("../../schemas/program.schema.json")
    : buildSchemaLine("program");
  writeNew(file, firstLine + renderProgram(name, executable));
  return file;
}

/** A relative path, because a checkout is used on several machines. */
function buildRelativeSchemaLine(path: string): string {
  return `# yaml-language-server: $schema=${path}\n`;
}

function writeNew(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { flag: "wx" });
  } catch (cause) {
    const hint = existsSync(file)
      ? "The file exists already; it was not changed."
      : "Check that you may write there.";
    throw createUsageError(`${file} cannot be written`, hint, cause);
  }
}

function createExistsError(kind: string, name: string): AtlasBridgeError {
  return createUsageError(`${kind} "${name}" already exists`, `Show it: atlasbridge adapter show ${name}`);
}

/** `name` must be valid. */
export function createAdapterFiles(name: string, executable: string) {
  return {
    adapter: renderAdapter(name, executable),
    scenarios: [
      { name: "asks", text: formatJson(buildAskingScenario(name)) },
      { name: "works", text: formatJson(buildWorkingScenario(name)) },
    ],
  };
}

function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function renderAdapter(name: string, executable: string): string {
  return `# How AtlasBridge reads ${name}. All keys: docs/reference/adapter-keys.md
schema: 1
name: ${name}
version: 1.0.0
description: ${name}, its terminal interface
family: agent
process: { executable: ${JSON.stringify(executable)} }
# The versions of the tool that you have recorded:
# supported_versions: ">=1.0 <2"

# What stands on the lowest rows while the tool works, and while it waits for your next message.
# \`unread: screen\` (below) needs both: a screen that shows neither for five seconds waits for somebody.
states:
  working: ["esc to interrupt"]
  idle: ["^>(?: |$)"]     # blanks at the end of a row do not count: an empty input box is a bare >

rules:
  # The first rule that fits the screen wins; put the special before the general.
  - name: permission
    shape: list            # how it is drawn; the others stand at the end of this file
    class: permission      # what is at stake; permission, question, plan, startup, trust, login, update, …
    confidence: HIGH
    list:
      glyphs: ["❯"]        # what marks the highlighted row
      live: [cursor]       # where the cursor is while the list takes input: on that row, or \`parked\` below
    top: "^─{20}"          # the row above the dialog; all from there to the list is what people approve
    question: "^Allow [^?]{1,200}\\\\?"
    footer: ["^Esc to cancel"]   # all that may stand below
    choices:               # what the labels mean, never what row they are in; the first match wins
      - { label: "^Yes, always", intent: allow_always }
      - { label: "^Yes", intent: allow_once }
      - { label: "^No", intent: reject_once }

# A question that no rule reads: \`none\` leaves it, \`screen\` raises it when neither state shows for five seconds.
unread: none

# Every shape that a rule can have:
${Object.entries(SHAPES)
  .map(([shape, meaning]) => `#   ${shape.padEnd(12)} ${meaning}`)
  .join("\n")}
`;
}

const SHAPES: Readonly<Record<Shape, string>> = {
  list: "a list of which one row is highlighted; arrows and Enter, or a key, choose",
  check_list: "a list in which several rows can be ticked",
  radio_list: "a list in which exactly one row is ticked",
  buttons: "choices side by side in one row: < Yes >  < No >",
  field: "a text field in a drawn dialog",
  confirm: "a drawn dialog that only wants Enter",
  page: "a drawn page that waits for a key; people are told, and press it at the terminal",
  yes_no: "a question on the last line that ends in [y/N]",
  press_enter: "a last line such as Press Enter to continue",
  line: "a question on the last line that takes text",
  line_menu: "numbered or lettered rows above a last line that takes a number: Your choice: ",
  secret: "a last line that takes a password; it is answered at the terminal only",
};

const RULE = "─".repeat(40);

function buildAskingScenario(name: string): object {
  const rows = [
    RULE,
    "Run a command",
    "rm -rf build",
    "",
    "Allow this command?",
    "❯ 1. Yes",
    "  2. Yes, always",
    "  3. No",
  ];
  return {
    tool: name,
    scenario_id: `${name}_asks`,
    description: "Drawn by hand: replace it with a recording (atlasbridge lab record)",
    // Moves the cursor to the highlighted row, as in a live list.
    pty_output: `${[...rows, "", "Esc to cancel"].join("\r\n")}\u001b[4A\r`,
    expected_type: "multiple_choice",
    expected_confidence_band: "HIGH",
    expected_excerpt_contains: "Allow this command?",
    expected_choices: ["Yes", "Yes, always", "No"],
    expected_default: 1,
    expected_content_contains: ["rm -rf build"],
    expected_state: "waiting",
    expected_count: 1,
    // Tests the key of the second choice.
    replies: [{ value: "2", expected_keys: ["2"] }],
  };
}

function buildWorkingScenario(name: string): object {
  return {
    tool: name,
    scenario_id: `${name}_works`,
    description: "Drawn by hand: it works, and its text only looks like a question",
    pty_output: "Allow this command?\r\n  1. Yes\r\n  2. No\r\n\r\nworking (esc to interrupt)",
    expected_type: null,
    expected_state: "working",
    expected_count: 0,
  };
}

/** A valid file, which its author adapts. */
export function renderProgram(name: string, executable: string): string {
  return `# How ${name} is driven. docs/how-to/add-a-program.md changes such a file step by step, docs/reference/program-keys.md lists every key.
schema: 1
name: ${name}
version: 0.1.0
description: ${name}
# shell, repl or debugger.
family: repl
# Delete this line once \`atlasbridge adapter test ${name}\` is green.
tested: false

process:
  # The first one that exists is started.
  executable_candidates: [${JSON.stringify(executable)}]
  line_ending: "\\n"

# With \`regex\` the prompt is found as it is drawn. A program that can run code before each prompt should print marks instead
# (strategy: shell_integration): output cannot pass for them, and they report exit codes.
ready: { wait_for_event: regex }
init: { strategy: regex }

prompt:
  strategy: regex
  # The whole prompt at which the program waits for a command, with its blank at the end.
  primary: '^> $'
  # The prompt at which it asks for the rest of a command, and the keys that bring it back from there.
  # continuation: '^\\.\\.\\. $'
  # continuation_escape: "\\x03"

# The program's line editor may draw the prompt again with each key. fuzzy_byte_match also finds the typed line in that.
output: { input_echo_strategy: fuzzy_byte_match }

input:
  # none: a block of several lines is refused. prompt_based: each line waits for the next prompt. Or give blocks as a file (tempfile).
  multiline_detect: none

# null: there is no such key, or it would end the whole program.
signals: { interrupt: "\\x03", eof: "\\x04", suspend: null }

lifecycle:
  shutdown: { command: exit, grace_ms: 1000, force_signal: kill }

capabilities:
  interrupt: true
  exit_code: false
  user_busy_detection: process_polling

# One command that shows that the program works, and what its output must match.
probe: { eval: "1 + 1", expect: '^2$' }

# In \`expect\` ^ and $ are the ends of a line.
tests:
  - { name: output, eval: "2 + 3", expect: '^5$' }
  - { name: state stays, setup: "x = 42", eval: "x + 1", expect: '^43$' }
  - { name: an error, eval: no_such_name, expect: 'no_such_name' }
  - { name: after an error, setup: no_such_name, eval: "2 + 3", expect: '^5$' }
  # Fails if the echo of the command is taken for output.
  - { name: no output, eval: "x = 1", expect: '^$' }
  # Add them once \`multiline_detect\` and \`continuation\` are set:
  # - { name: several lines, eval: "x = 1\\nx + 1", expect: '^2$' }
  # - { name: an unfinished command, setup_sequence: [{ eval: "(1 +" }], eval: "2 + 3", expect: '^5$' }
`;
}
