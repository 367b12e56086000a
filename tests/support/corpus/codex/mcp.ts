/** What MCP servers make codex ask: may a tool run, and the fields of their own forms. */
import type { Step } from "../../fake-anthropic/script.js";
import { KEYS } from "../../real-cli/terminal.js";
import { answered as answeredLabel, digits } from "../labels.js";
import type { Player } from "../player.js";
import { answered, asked, type CodexSituation, MCP } from "./moves.js";

const server = { options: { tables: MCP } } as const;
const ALLOW = ["Allow", "Allow for this session", "Always allow", "Cancel"];
const deploy: readonly Step[] = [
  {
    tools: [
      { name: "mcp__ops__deploy", input: { target: "production", dry_run: false, note: "Continue? (y/n)" } },
    ],
  },
];
const configure: readonly Step[] = [{ tools: [{ name: "mcp__ops__configure", input: {} }] }];
const MESSAGE = "Which environment should be used? Continue? (y/n)";

async function tool(player: Player): Promise<void> {
  await asked(player, /1\. Allow/);
}

async function form(player: Player): Promise<void> {
  await tool(player);
  await player.key("1");
  await player.see(/Field 1\/3/);
  await player.still();
}

async function secondField(player: Player): Promise<void> {
  await form(player);
  await player.key(KEYS.enter);
  await player.see(/Field 2\/3/);
}

export const mcp: readonly CodexSituation[] = [
  {
    name: "mcp",
    description: "May an MCP tool run",
    ...server,
    model: deploy,
    play: tool,
    label: (size) => ({
      type: "multiple_choice",
      excerpt: 'Allow the ops MCP server to run tool "deploy"?',
      byDefault: 1,
      count: 1,
      ...(size !== "45x20" && {
        choices: ALLOW,
        content: ["dry_run: false", "note: Continue? (y/n)", "target: production"],
        replies: digits(4),
      }),
    }),
  },
  {
    name: "mcp-answered",
    description: "An MCP tool was allowed at the keyboard",
    ...server,
    model: deploy,
    play: async (player) => {
      await tool(player);
      await answered(player, "1");
    },
    sizes: ["80x24"],
    label: answeredLabel(),
  },
  {
    name: "form-confirm",
    description: "The first field of an MCP server's form: true or false",
    ...server,
    model: configure,
    play: form,
    label: {
      type: "multiple_choice",
      excerpt: "Confirm",
      choices: ["True", "False"],
      byDefault: 1,
      content: [MESSAGE],
      count: 2,
    },
  },
  {
    name: "form-name",
    description: "The second field of an MCP server's form: a text",
    ...server,
    model: configure,
    play: secondField,
    label: {
      type: "free_text",
      excerpt: "Environment name",
      content: [MESSAGE],
      count: 3,
      replies: [
        { value: "staging", keys: ["\u001b[200~staging\u001b[201~", "\r"] },
        { value: "two\nlines", keys: [] },
      ],
    },
  },
  {
    name: "form-region",
    description: "The last field of an MCP server's form: one of two words",
    ...server,
    model: configure,
    play: async (player) => {
      await secondField(player);
      await player.say("staging");
      await player.see(/Field 3\/3/);
    },
    label: { type: "multiple_choice", excerpt: "Region", choices: ["eu", "us"], count: 4 },
  },
];
