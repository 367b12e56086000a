/** Menus of qwen that the user opened: seen, never relayed. */
import { type QwenSituation, ready } from "./moves.js";

const small = { sizes: ["80x24"] } as const;

function opened(command: string): QwenSituation["play"] {
  return async (player) => {
    await ready(player);
    player.type(command);
    await player.wait(900);
    await player.key("\r");
    await player.still(1500);
  };
}

export const menus: readonly QwenSituation[] = [
  {
    name: "no-prompt-theme-menu",
    description: "The user opened /theme",
    play: opened("/theme"),
  },
  {
    name: "no-prompt-model-menu",
    description: "The user opened /model",
    play: opened("/model"),
  },
  {
    name: "no-prompt-approval-menu",
    description: "The user opened /approval-mode",
    play: opened("/approval-mode"),
  },
  {
    name: "no-prompt-settings",
    description: "The user opened /settings",
    play: opened("/settings"),
    ...small,
  },
];
