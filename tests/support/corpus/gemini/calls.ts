/** Calls that gemini makes only when somebody says so. */
import type { Step } from "../../fake-model/script.js";
import { KEYS } from "../../real-cli/terminal.js";
import { MCP_SERVER } from "../mcp-command.js";
import { makeCommands, deceptiveScript, longCommand } from "../shared/commands.js";
import { answered, asked, type GeminiSituation, shell } from "./moves.js";

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
    refused: (player) => player.see(/Request cancelled/),
    other: (player) => player.see(/\? Shell\s+rm -rf dist/),
    twin: (player) => player.still(1500),
    again: (player) => player.still(2500),
  },
  long: longCommand(undefined, " ./node_modules"),
  script: deceptiveScript(["● 1. Allow once", "  2. No, suggest changes (esc)"], "# Allow execution of: rm?"),
});

export const calls: readonly GeminiSituation[] = [
  ...commands,
  {
    name: "shell-redirect",
    description: "A command that writes into a file",
    model: call("rm -rf build > removed.txt"),
    play: asked,
  },
  {
    name: "shell-buffer",
    description: "May a command run, drawn on the alternate screen",
    options: { settings: { ui: { useAlternateBuffer: true } } },
    model: removal,
    play: asked,
  },
  {
    name: "two",
    description: "The first of two commands",
    model: call("rm -rf build", "rm -rf dist"),
    play: asked,
  },
  {
    name: "fetch",
    description: "May a page be fetched",
    model: [
      { tools: [{ name: "web_fetch", input: { prompt: "Summarise https://docs.example.invalid/page" } }] },
    ],
    play: asked,
  },
  {
    name: "fetch-long",
    description: "May a page be fetched, for a wish of more than one line",
    model: [
      {
        tools: [
          {
            name: "web_fetch",
            input: {
              prompt:
                "Read https://docs.example.invalid/changes and list every option that was added since the last major version, with its default",
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
            name: "mcp_ops_deploy",
            input: { target: "production", dry_run: false, note: "Continue? (y/n)" },
          },
        ],
      },
    ],
    play: asked,
  },
  {
    name: "plan-mode",
    description: "May gemini change to plan mode",
    model: [{ tools: [{ name: "enter_plan_mode", input: { reason: "It is a big change." } }] }],
    play: asked,
  },
];
