/** Menus of gemini that the user opened: seen, never relayed. */
import { inTurn, press } from "../move.js";
import { type GeminiSituation, ready } from "./moves.js";

const small = { sizes: ["80x24"] } as const;

function opened(command: string, seen: RegExp): GeminiSituation["play"] {
  return async (player) => {
    await ready(player);
    await player.say(command);
    await player.see(seen);
  };
}

export const menus: readonly GeminiSituation[] = [
  {
    name: "no-prompt-theme-menu",
    description: "The user opened /theme",
    play: opened("/theme", /Select Theme/i),
  },
  {
    name: "no-prompt-model-menu",
    description: "The user opened /model",
    play: opened("/model", /Select Model/i),
  },
  {
    name: "no-prompt-settings",
    description: "The user opened /settings",
    play: opened("/settings", /Settings/),
    ...small,
  },
  {
    name: "no-prompt-sign-in-menu",
    description: "The user opened /auth: the login dialog",
    play: opened("/auth", /authenticate/),
    ...small,
  },
  {
    name: "no-prompt-editor-menu",
    description: "The user opened /editor",
    play: opened("/editor", /Not installed/),
    ...small,
  },
  {
    name: "no-prompt-ctrl-c",
    description: "Ctrl-C once: gemini would end with a second one",
    play: inTurn(ready, press("\u0003")),
    settles: false,
    ...small,
  },
];
