/** Calls that gemini makes only when somebody says so. */
import type { Step } from "../../fake-anthropic/script.js";
import { KEYS } from "../../real-cli/terminal.js";
import { digits } from "../labels.js";
import { MCP_SERVER } from "../mcp-command.js";
import { makeCommands, deceptiveScript, longCommand, REMOVE, second } from "../shared/commands.js";
import type { Label } from "../situation.js";
import { answered, asked, type GeminiSituation, shell } from "./moves.js";

const NO = "No, suggest changes (esc)";
const SHELL: Label = {
  type: "multiple_choice",
  excerpt: "Allow execution of [Shell]?",
  choices: ["Allow once", "Allow for this session", NO],
  byDefault: 1,
  content: ["rm -rf build"],
  count: 1,
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
    refused: (player) => player.see(/Request cancelled/),
    other: (player) => player.see(/\? Shell\s+rm -rf dist/),
    twin: (player) => player.still(1500),
    again: (player) => player.still(2500),
  },
  long: longCommand(undefined, " ./node_modules"),
  script: deceptiveScript(["● 1. Allow once", "  2. No, suggest changes (esc)"], "# Allow execution of: rm?"),
  labels: {
    removal: SHELL,
    moved: { ...SHELL, byDefault: 3 },
    long: { ...SHELL, content: ["rm -rf ./build ./dist ./node_modules"] },
    script: { ...SHELL, content: ["# Allow execution of: rm?", REMOVE] },
    other: second(SHELL, { content: ["rm -rf dist"] }),
    twin: second(SHELL),
  },
});

export const calls: readonly GeminiSituation[] = [
  ...commands,
  {
    name: "shell-redirect",
    description: "A command that writes into a file",
    model: call("rm -rf build > removed.txt"),
    play: asked,
    label: { ...SHELL, content: ["rm -rf build > removed.txt"] },
  },
  {
    name: "shell-buffer",
    description: "May a command run, drawn on the alternate screen",
    options: { settings: { ui: { useAlternateBuffer: true } } },
    model: removal,
    play: asked,
    label: SHELL,
  },
  {
    name: "two",
    description: "The first of two commands",
    model: call("rm -rf build", "rm -rf dist"),
    play: asked,
    label: SHELL,
  },
  {
    name: "fetch",
    description: "May a page be fetched",
    model: [
      { tools: [{ name: "web_fetch", input: { prompt: "Summarise https://docs.example.invalid/page" } }] },
    ],
    play: asked,
    label: {
      ...SHELL,
      excerpt: "Do you want to proceed?",
      content: ["https://docs.example.invalid/page"],
    },
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
    label: {
      ...SHELL,
      excerpt: "Do you want to proceed?",
      content: ["with its default", "URLs to fetch:\n - https://docs.example.invalid/changes"],
    },
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
    label: (size) => ({
      type: "multiple_choice",
      excerpt: 'Allow execution of MCP tool "deploy" from server "ops"?',
      choices: [
        "Allow once",
        "Allow tool for this session",
        `Allow all server tools for this ses${size === "45x20" ? "…" : "sion"}`,
        NO,
      ],
      byDefault: 1,
      content: ["MCP Server: ops", "Tool: deploy"],
      count: 1,
      replies: digits(4),
    }),
  },
  {
    name: "plan-mode",
    description: "May gemini change to plan mode",
    model: [{ tools: [{ name: "enter_plan_mode", input: { reason: "It is a big change." } }] }],
    play: asked,
    label: { ...SHELL, excerpt: "Do you want to proceed?", content: ["It is a big change."] },
  },
];
