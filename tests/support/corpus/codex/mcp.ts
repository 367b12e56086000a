/** What MCP servers make codex ask: may a tool run, and the fields of their own forms. */
import { inTurn } from "../move.js";
import type { Step } from "../../fake-model/script.js";
import { KEYS } from "../../real-cli/terminal.js";
import type { Player } from "../player.js";
import { answered, asked, type CodexSituation, MCP } from "./moves.js";

const server = { options: { tables: MCP } } as const;
const deploy: readonly Step[] = [
  {
    tools: [
      { name: "mcp__ops__deploy", input: { target: "production", dry_run: false, note: "Continue? (y/n)" } },
    ],
  },
];
const configure: readonly Step[] = [{ tools: [{ name: "mcp__ops__configure", input: {} }] }];

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
  },
  {
    name: "mcp-answered",
    description: "An MCP tool was allowed at the keyboard",
    ...server,
    model: deploy,
    play: inTurn(tool, (player) => answered(player, "1")),
    sizes: ["80x24"],
  },
  {
    name: "form-confirm",
    description: "The first field of an MCP server's form: true or false",
    ...server,
    model: configure,
    play: form,
  },
  {
    name: "form-name",
    description: "The second field of an MCP server's form: a text",
    ...server,
    model: configure,
    play: secondField,
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
  },
];
