/** What a person does in gemini, and what the model calls there. */
import type { ToolCall } from "../../fake-model/script.js";
import type { GeminiOptions } from "../../real-cli/gemini.js";
import type { Player } from "../player.js";
import type { Situation } from "../situation.js";

export type GeminiSituation = Situation<GeminiOptions>;

const COMPOSER = /Type your\s+message/;

export const shell = (command: string): ToolCall => ({
  name: "run_shell_command",
  input: { command, description: "Clear out old build output" },
});

export const write = (path: string, content: string): ToolCall => ({
  name: "write_file",
  input: { file_path: path, content },
});

export async function ready(player: Player): Promise<void> {
  await player.see(COMPOSER);
  await player.still(1000);
}

export async function ask(player: Player): Promise<void> {
  await ready(player);
  await player.say(`Please tidy up ${player.token}`);
}

export async function asked(player: Player): Promise<void> {
  await ask(player);
  await player.see(/● 1\./);
  // It is laid out in steps, and never draws while it waits.
  await player.still(1200);
}

export async function answered(player: Player, ...keys: readonly string[]): Promise<void> {
  await player.key(...keys);
  await player.see(/All done\./);
  await player.see(COMPOSER);
}

export async function finished(player: Player, words: RegExp): Promise<void> {
  await ask(player);
  await player.see(words);
  await player.see(COMPOSER);
  await player.still(1200);
}
