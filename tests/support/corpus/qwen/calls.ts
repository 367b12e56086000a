/** Calls that qwen makes only when somebody says so. */
import type { Step } from "../../fake-anthropic/script.js";
import { KEYS } from "../../real-cli/terminal.js";
import { digits } from "../labels.js";
import { MCP_SERVER } from "../mcp-command.js";
import { makeCommands, deceptiveScript, longCommand, REMOVE } from "../shared/commands.js";
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

const withMcp = { options: { settings: { mcpServers: { ops: MCP_SERVER } } } } as const;

const commands = makeCommands({
  name: "shell",
  asked,
  answered,
  call,
  yes: "1",
  move: [KEYS.up],
  until: {
    refused: (player) => player.still(1500),
    other: (player) => player.still(2000),
    twin: (player) => player.still(2000),
    again: (player) => player.still(3000),
  },
  long: longCommand(undefined, " ./node_modules"),
  script: deceptiveScript(["› 1. Yes, allow once", "  2. No, suggest changes (esc)"]),
  labels: {
    removal: shellLabel(),
    moved: shellLabel({ byDefault: 4 }),
    long: (size) => ({
      ...MAY,
      excerpt: "Allow execution of: 'echo, rm'?",
      // In the narrowest terminal nothing of it is to be seen.
      content: size === "45x20" ? [] : ["rm -rf ./build ./dist"],
    }),
    script: { ...MAY, excerpt: "Allow execution of: 'set, for, do, d", content: ["set -e", REMOVE] },
    other: shellLabel({ content: ["rm -rf dist"], count: 2 }),
    twin: shellLabel({ count: 2 }),
  },
});

export const calls: readonly QwenSituation[] = [
  ...commands,
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
