/** What a new adapter begins with: a file that explains itself, and two scenarios that already hold. */

import type { Shape } from "../src/worker/adapter-format/adapter-file.js";

export interface NewAdapterFiles {
  readonly adapter: string;
  readonly scenarios: readonly { readonly name: string; readonly text: string }[];
}

/** `name` is a legal name of an adapter. */
export function createAdapterFiles(name: string, executable: string): NewAdapterFiles {
  return {
    adapter: renderAdapter(name, executable),
    scenarios: [
      { name: "asks", text: formatJson(asks(name)) },
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

/** In words, for the person who writes the file. */
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

function asks(name: string): object {
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
    // Back up to the marked row: there the cursor is while the list takes input.
    pty_output: `${[...rows, "", "Esc to cancel"].join("\r\n")}\u001b[4A\r`,
    expected_type: "multiple_choice",
    expected_confidence_band: "HIGH",
    expected_excerpt_contains: "Allow this command?",
    expected_choices: ["Yes", "Yes, always", "No"],
    expected_default: 1,
    expected_content_contains: ["rm -rf build"],
    expected_state: "waiting",
    expected_count: 1,
    // What is pressed for the second choice: this is how `answer` is tested.
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
