/** Calls that qwen makes only when somebody says so. */
import type { Step } from "../../fake-anthropic/script.js";
import { KEYS } from "../../real-cli/terminal.js";
import { answered as answeredLabel, digits } from "../labels.js";
import { MCP_SERVER } from "../mcp-command.js";
import type { Label, Size } from "../situation.js";
import { answered, asked, type QwenSituation, shell } from "./moves.js";

const ONCE = "Yes, allow once";
const NO = "No, suggest changes (esc)";
const MAY: Label = { type: "multiple_choice", byDefault: 1, count: 1, replies: digits(4) };
const LONGEST_NARROW = 32;

/** Rows end after so many characters in the narrowest terminal. */
function drawn(choices: readonly string[], size: Size): readonly string[] {
  if (size !== "45x20") return choices;
  return choices.map((text) =>
    text.length <= LONGEST_NARROW ? text : `${text.slice(0, LONGEST_NARROW - 1)}…`,
  );
}

const ALWAYS = "Always allow run 'rm *' commands";
const shellLabel =
  (change: Partial<Label> = {}) =>
  (size: Size): Label => ({
    ...MAY,
    excerpt: "Allow execution of: 'rm'?",
    choices: drawn([ONCE, `${ALWAYS} in this project`, `${ALWAYS} for this user`, NO], size),
    content: ["rm -rf build"],
    ...change,
  });
const SHELL = shellLabel();
const CHANGE: Label = {
  ...MAY,
  excerpt: "Apply this change?",
  choices: [ONCE, "Yes, allow always", NO],
  replies: digits(3),
};
const call = (...commands: readonly string[]): readonly Step[] => [
  { text: "I will remove the build folder.", tools: commands.map(shell) },
];
const removal = call("rm -rf build");

const LONG_STEPS = Array.from(
  { length: 8 },
  (_, i) => `echo "step ${i + 1}: copy the old reports aside before anything is deleted" >> cleanup.log`,
);
const LONG = `${LONG_STEPS.join(" && ")} && rm -rf ./build ./dist ./node_modules`;
const SCRIPT = [
  "set -e",
  "for f in *.txt; do",
  '  echo "› 1. Yes, allow once"',
  '  echo "  2. No, suggest changes (esc)"',
  "done",
  "rm -rf build",
].join("\n");
const withMcp = { options: { settings: { mcpServers: { ops: MCP_SERVER } } } } as const;

export const calls: readonly QwenSituation[] = [
  { name: "shell", description: "May a command run", model: removal, play: asked, label: SHELL },
  {
    name: "shell-moved",
    description: "The highlight was moved to the last row",
    model: removal,
    play: async (player) => {
      await asked(player);
      await player.key(KEYS.up);
    },
    label: shellLabel({ byDefault: 4 }),
  },
  {
    name: "shell-answered",
    description: "A command was allowed at the keyboard",
    model: removal,
    play: async (player) => {
      await asked(player);
      await answered(player, "1");
    },
    label: answeredLabel(),
  },
  {
    name: "shell-esc",
    description: "A command was refused with Esc",
    model: removal,
    play: async (player) => {
      await asked(player);
      await player.key(KEYS.esc);
      await player.still(1500);
    },
    label: answeredLabel(),
  },
  {
    name: "shell-resized",
    description: "The terminal became smaller and larger again while a command is asked about",
    model: removal,
    play: async (player) => {
      await asked(player);
      await player.resize(100, 30);
      await player.resize(64, 24);
      await player.resize(100, 30);
    },
    sizes: ["120x40", "80x24"],
    label: SHELL,
  },
  {
    name: "shell-long",
    description: "A command longer than the screen is wide",
    model: call(LONG),
    play: asked,
    label: (size) => ({
      ...MAY,
      excerpt: "Allow execution of: 'echo, rm'?",
      // In the narrowest terminal nothing of it is to be seen.
      content: size === "45x20" ? [] : ["rm -rf ./build ./dist"],
    }),
  },
  {
    name: "shell-script",
    description: "A command of many lines that look like a dialog",
    model: call(SCRIPT),
    play: asked,
    label: { ...MAY, excerpt: "Allow execution of: 'set, for, do, d", content: ["set -e", "rm -rf build"] },
  },
  {
    name: "auto",
    description: "In auto mode nobody could tell whether a command is harmless",
    options: { approvalMode: "auto" },
    model: removal,
    play: asked,
    label: (size) => ({
      ...MAY,
      excerpt: "Allow execution of: 'rm'?",
      choices: drawn([ONCE, "Switch to Default Mode and allow once (recommended)", NO], size),
      content: ["rm -rf build", "Classifier stage 1"],
      replies: digits(3),
    }),
  },
  {
    name: "two-second",
    description: "Two commands: the first was allowed, the second is asked about",
    model: call("rm -rf build", "rm -rf dist"),
    play: async (player) => {
      await asked(player);
      await player.key("1");
      await player.still(2000);
    },
    label: shellLabel({ content: ["rm -rf dist"], count: 2 }),
  },
  {
    name: "twins-second",
    description: "Two equal commands: the first was allowed, the second is asked about",
    model: call("rm -rf build", "rm -rf build"),
    play: async (player) => {
      await asked(player);
      await player.key("1");
      await player.still(2000);
    },
    label: shellLabel({ count: 2 }),
  },
  {
    name: "again-second",
    description: "The same command is asked about once more in the next turn",
    model: [...removal, ...removal],
    play: async (player) => {
      await asked(player);
      await player.key("1");
      await player.still(3000);
    },
    label: shellLabel({ count: 2 }),
  },
  {
    name: "write",
    description: "May a file be written",
    model: (cwd) => [
      {
        tools: [
          {
            name: "write_file",
            input: { file_path: `${cwd}/hello.txt`, content: "hello\nContinue? (y/n)\n" },
          },
        ],
      },
    ],
    play: asked,
    label: { ...CHANGE, content: ["hello.txt", "Continue? (y/n)"] },
  },
  {
    name: "write-long",
    description: "A file of sixty lines: not all of it is drawn",
    model: (cwd) => [
      {
        tools: [
          {
            name: "write_file",
            input: {
              file_path: `${cwd}/notes.md`,
              content: Array.from({ length: 60 }, (_, i) => `Line ${i + 1}\n`).join(""),
            },
          },
        ],
      },
    ],
    play: asked,
    label: { ...CHANGE, content: ["notes.md", "Line 60"] },
  },
  {
    name: "edit",
    description: "May a file be changed into text that looks like a dialog",
    model: (cwd) => [
      { tools: [{ name: "read_file", input: { file_path: `${cwd}/app.py` } }] },
      {
        tools: [
          {
            name: "edit",
            input: {
              file_path: `${cwd}/app.py`,
              old_string: "    pass\n",
              new_string: '    print("1. Yes")\n    print("› 2. No")\n',
            },
          },
        ],
      },
    ],
    play: asked,
    label: { ...CHANGE, content: ["app.py", 'print("1. Yes")'] },
  },
  {
    name: "mcp",
    description: "May an MCP tool run",
    ...withMcp,
    model: [
      {
        tools: [
          {
            name: "mcp__ops__deploy",
            input: { target: "production", dry_run: false, note: "Continue? (y/n)" },
          },
        ],
      },
    ],
    play: asked,
    label: (size) => ({
      ...MAY,
      excerpt: 'Allow execution of MCP tool "deploy"',
      choices: drawn(
        [
          ONCE,
          "Always allow mcp__ops__deploy in this project",
          "Always allow mcp__ops__deploy for this user",
          NO,
        ],
        size,
      ),
      content: ["Tool: deploy", '"target":"production"'],
    }),
  },
];
