/** What a person does in copilot, and what the model calls there. */
import type { Step, ToolCall } from "../../fake-model/script.js";
import type { CopilotOptions } from "../../real-cli/copilot.js";
import { KEYS } from "../../real-cli/terminal.js";
import { MCP_SERVER } from "../mcp-command.js";
import type { Player } from "../player.js";
import type { Situation } from "../situation.js";

export type CopilotSituation = Situation<CopilotOptions>;

const COMPOSER = /^❯/m;
const DIALOG = /❯ ?1\.|enter accept/;
/** On a busy machine it starts and answers slowly. */
const SLOW_MS = 60_000;

export const bash = (command: string): ToolCall => ({
  name: "bash",
  input: { command, description: "Clear out old build output" },
});

export const call = (...tools: readonly ToolCall[]): readonly Step[] => [
  { text: "I will clear the old output.", tools },
];

export const withMcp = {
  options: {
    args: [
      "--additional-mcp-config",
      JSON.stringify({ mcpServers: { ops: { type: "local", ...MCP_SERVER, tools: ["*"] } } }),
    ],
  },
} as const;

export async function ready(player: Player): Promise<void> {
  await player.see(COMPOSER, SLOW_MS);
  await player.still(1500);
}

export async function ask(player: Player): Promise<void> {
  await ready(player);
  player.type(`Please tidy up ${player.token}`);
  await player.see(/tidy up/);
  await player.wait(600);
  await player.key(KEYS.enter);
}

export async function asked(player: Player): Promise<void> {
  await ask(player);
  await player.see(DIALOG, SLOW_MS);
  await player.still(1000);
}

export async function finished(player: Player, words: RegExp): Promise<void> {
  await ask(player);
  await player.see(words, SLOW_MS);
  await player.gone(/Working/);
  await player.still(1200);
}

export async function answered(player: Player, ...keys: readonly string[]): Promise<void> {
  await player.key(...keys);
  await player.see(/All done\./);
  await player.gone(/Working/);
  await player.still(1200);
}

/** Keys after the dialog came. Not `then`: a module with an export of that name is awaited for ever by whoever imports it. */
export function afterwards(...keys: readonly string[]): CopilotSituation["play"] {
  return async (player) => {
    await asked(player);
    await player.key(...keys);
    await player.still(1500);
  };
}
