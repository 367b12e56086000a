/** What a person does in opencode, and what the model calls there. */
import type { ToolCall } from "../../fake-model/script.js";
import type { OpencodeOptions } from "../../real-cli/opencode.js";
import { KEYS } from "../../real-cli/terminal.js";
import type { Player } from "../player.js";
import type { Situation } from "../situation.js";

export type OpencodeSituation = Situation<OpencodeOptions>;

/** On a busy machine it takes its time before it calls the model at all. */
const SLOW_MS = 90_000;
export const RIGHT = "\u001b[C";
/** A turn is over: the line of the answer says how long it took. */
const DONE = /▣ .{1,60} · \d/;

export const bash = (command: string): ToolCall => ({
  name: "bash",
  input: { command, description: "Clear out old build output" },
});

export async function ready(player: Player): Promise<void> {
  await player.see(/Ask anything/, SLOW_MS);
  await player.still(1200);
}

export async function ask(player: Player): Promise<void> {
  await ready(player);
  player.type(`Please tidy up ${player.token}`);
  await player.see(/tidy up/);
  await player.wait(500);
  await player.key(KEYS.enter);
}

/** Until the model's call is asked about. It animates as long as it works, so stillness tells little. */
export async function asked(player: Player, dialog = /Permission required/): Promise<void> {
  await ask(player);
  await player.see(dialog, SLOW_MS);
  await player.wait(1500);
}

export async function finished(player: Player, words: RegExp): Promise<void> {
  await ask(player);
  await player.see(words, SLOW_MS);
  await player.see(DONE);
  await player.wait(1000);
}

export async function answered(player: Player, ...keys: readonly string[]): Promise<void> {
  await player.key(...keys);
  await player.see(/All done\./);
  await player.see(DONE);
  await player.wait(1000);
}
