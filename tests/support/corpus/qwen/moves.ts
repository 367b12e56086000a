/** What a person does in qwen, and what the model calls there. */
import type { ToolCall } from "../../fake-model/script.js";
import type { QwenOptions } from "../../real-cli/qwen.js";
import { KEYS } from "../../real-cli/terminal.js";
import type { Player } from "../player.js";
import type { Situation } from "../situation.js";

export type QwenSituation = Situation<QwenOptions>;

export const COMPOSER = /Type your\s+message/;

export const shell = (command: string): ToolCall => ({
  name: "run_shell_command",
  input: { command, description: "Clear out old build output", is_background: false },
});

export async function ready(player: Player): Promise<void> {
  await player.see(COMPOSER, 60_000);
  await player.still(1000);
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
  await player.see(/[›❯] (?:\[ \] )?1\./);
  await player.still(1000);
}

export async function answered(player: Player, ...keys: readonly string[]): Promise<void> {
  await player.key(...keys);
  await player.see(/All done\./);
  await player.see(COMPOSER);
  await player.still(1000);
}

export async function finished(player: Player, words: RegExp): Promise<void> {
  await ask(player);
  await player.see(words);
  await player.see(COMPOSER);
  await player.still(1200);
}
