/** Calls that qwen makes only when somebody says so. */
import type { Step } from "../../fake-model/script.js";
import { KEYS } from "../../real-cli/terminal.js";
import { MCP_SERVER } from "../mcp-command.js";
import { makeCommands, deceptiveScript, longCommand } from "../shared/commands.js";
import { answered, asked, type QwenSituation, shell } from "./moves.js";

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
});

export const calls: readonly QwenSituation[] = [
  ...commands,
  {
    name: "auto",
    description: "In auto mode nobody could tell whether a command is harmless",
    options: { approvalMode: "auto" },
    model: removal,
    play: asked,
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
  },
];
