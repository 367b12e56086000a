/** Calls that gemini makes only when somebody says so. */
import type { Step } from "../../fake-anthropic/script.js";
import { KEYS } from "../../real-cli/terminal.js";
import { answered as answeredLabel, digits } from "../labels.js";
import { MCP_SERVER } from "../mcp-command.js";
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

const LONG_STEPS = Array.from(
  { length: 8 },
  (_, i) => `echo "step ${i + 1}: copy the old reports aside before anything is deleted" >> cleanup.log`,
);
const LONG = `${LONG_STEPS.join(" && ")} && rm -rf ./build ./dist ./node_modules`;
const SCRIPT = [
  "set -e",
  "for f in *.txt; do",
  '  echo "● 1. Allow once"',
  '  echo "  2. No, suggest changes (esc)"',
  "done",
  "# Allow execution of: rm?",
  "rm -rf build",
].join("\n");

const withMcp = { options: { settings: { mcpServers: { ops: MCP_SERVER } } } } as const;

export const calls: readonly GeminiSituation[] = [
  { name: "shell", description: "May a command run", model: removal, play: asked, label: SHELL },
  {
    name: "shell-moved",
    description: "The highlight was moved to the last row",
    model: removal,
    play: async (player) => {
      await asked(player);
      await player.key(KEYS.up);
    },
    label: { ...SHELL, byDefault: 3 },
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
      await player.see(/Request cancelled/);
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
    name: "shell-redirect",
    description: "A command that writes into a file",
    model: call("rm -rf build > removed.txt"),
    play: asked,
    label: { ...SHELL, content: ["rm -rf build > removed.txt"] },
  },
  {
    name: "shell-long",
    description: "A command longer than the screen is wide",
    model: call(LONG),
    play: asked,
    label: { ...SHELL, content: ["rm -rf ./build ./dist ./node_modules"] },
  },
  {
    name: "shell-script",
    description: "A command of many lines that look like a dialog",
    model: call(SCRIPT),
    play: asked,
    label: { ...SHELL, content: ["# Allow execution of: rm?", "rm -rf build"] },
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
    name: "two-second",
    description: "Two commands: the first was allowed, the second is asked about",
    model: call("rm -rf build", "rm -rf dist"),
    play: async (player) => {
      await asked(player);
      await player.key("1");
      await player.see(/\? Shell\s+rm -rf dist/);
    },
    label: { ...SHELL, content: ["rm -rf dist"], count: 2 },
  },
  {
    name: "twins-second",
    description: "Two equal commands: the first was allowed, the second is asked about",
    model: call("rm -rf build", "rm -rf build"),
    play: async (player) => {
      await asked(player);
      await player.key("1");
      await player.still(1500);
    },
    label: { ...SHELL, count: 2 },
  },
  {
    name: "again-second",
    description: "The same command is asked about once more in the next turn",
    model: [...removal, ...removal],
    play: async (player) => {
      await asked(player);
      await player.key("1");
      await player.still(2500);
    },
    label: { ...SHELL, count: 2 },
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
