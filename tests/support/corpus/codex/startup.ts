/** What codex asks before its first turn. */
import { inTurn, press, see, still } from "../move.js";
import { KEYS } from "../../real-cli/terminal.js";
import type { Player } from "../player.js";
import type { CodexSituation } from "./moves.js";

async function otherWays(player: Player): Promise<void> {
  await player.see(/Sign in another way/);
  await player.still();
  await player.key("3");
  await player.see(/OpenAI API key/);
}

export const startup: readonly CodexSituation[] = [
  {
    name: "trust",
    description: "May the folder be trusted",
    options: { trusted: false },
    play: (player) => player.see(/Trust and continue/),
  },
  {
    name: "new-folder",
    description: "May the folder be trusted; the highlight was moved to the other row",
    options: { trusted: false },
    play: inTurn(see(/Trust and continue/), still(), press(KEYS.down)),
    sizes: ["80x24"],
  },
  {
    name: "model-news",
    description: "A newer model is announced",
    options: { model: "gpt-5.6-sol" },
    play: (player) => player.see(/Try new model/),
  },
  {
    name: "update",
    description: "A newer release is offered",
    options: { update: true, env: { CODEX_MANAGED_BY_NPM: "1" } },
    play: (player) => player.see(/Skip until/),
  },
  {
    name: "login",
    description: "No provider is set up: how to sign in",
    options: { provider: false },
    play: (player) => player.see(/Sign in another way/),
  },
  {
    name: "login-other",
    description: "Other ways to sign in",
    options: { provider: false },
    play: otherWays,
  },
  {
    name: "login-key",
    description: "The API key is to be typed",
    options: { provider: false },
    play: inTurn(otherWays, still(), press("1"), see(/Paste or type your API key below/)),
  },
];
