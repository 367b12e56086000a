/** What a person does at a recorded terminal, move by move. */
import type { Player } from "./player.js";

export type Move = (player: Player) => Promise<void>;

export function inTurn(...moves: readonly Move[]): Move {
  return async (player) => {
    for (const move of moves) await move(player);
  };
}

export const press =
  (...keys: readonly string[]): Move =>
  (player) =>
    player.key(...keys);

export const see =
  (expected: RegExp, timeoutMs?: number): Move =>
  (player) =>
    player.see(expected, timeoutMs);

export const still =
  (quietMs?: number): Move =>
  (player) =>
    player.still(quietMs);

export const wait =
  (ms: number): Move =>
  (player) =>
    player.wait(ms);
