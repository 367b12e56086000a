/** What a person does in codex, and what the model calls there. */
import type { ToolCall } from "../../fake-model/script.js";
import type { CodexOptions } from "../../real-cli/codex.js";
import { MCP_SERVER } from "../mcp-command.js";
import type { Player } from "../player.js";
import type { Situation } from "../situation.js";

export type CodexSituation = Situation<CodexOptions>;

const COMPOSER = /^› /m;
const APPROVAL = /Press enter to confirm or esc to cancel/;

/** Runs outside of the sandbox, so it is asked about. */
export const exec = (cmd: string, more: object = {}): ToolCall => ({
  name: "exec_command",
  input: {
    cmd,
    sandbox_permissions: "require_escalated",
    justification: "Clear out old build output?",
    ...more,
  },
});

/** Runs in the sandbox, unasked. */
export const sandboxed = (cmd: string): ToolCall => ({ name: "exec_command", input: { cmd } });

export const patch = (...lines: readonly string[]): ToolCall => ({
  name: "apply_patch",
  input: { input: ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n") },
});

/** Lines of config.toml: the MCP server `ops`. */
export const MCP: readonly string[] = [
  "[mcp_servers.ops]",
  `command = ${JSON.stringify(MCP_SERVER.command)}`,
  `args = ${JSON.stringify(MCP_SERVER.args)}`,
];

export async function ready(player: Player): Promise<void> {
  await player.see(COMPOSER);
  await player.still();
}

export async function ask(player: Player): Promise<void> {
  await ready(player);
  await player.say(`Please tidy up ${player.token}`);
}

export async function asked(player: Player, dialog: RegExp = APPROVAL): Promise<void> {
  await ask(player);
  await player.see(dialog);
  await player.still();
}

export async function answered(player: Player, ...keys: readonly string[]): Promise<void> {
  await player.key(...keys);
  await player.see(/All done\./);
}

export async function planMode(player: Player): Promise<void> {
  await ready(player);
  await player.say("/plan");
  await player.see(/Plan\s+mode/);
}

export async function finished(player: Player): Promise<void> {
  await ask(player);
  await player.see(/Worked for/);
}
