/** What qwen asks before its first turn. */
import { inTurn, see, still } from "../move.js";
import type { QwenSituation } from "./moves.js";

export const startup: readonly QwenSituation[] = [
  {
    name: "trust",
    description: "May the folder be trusted",
    options: { trusted: false },
    play: (player) => player.see(/Don't trust/, 60_000),
  },
  {
    name: "sign-in",
    description: "No provider is set up: how to sign in",
    options: { signedIn: false },
    play: inTurn(see(/authenticate|provider|Select/i, 60_000), still(1200)),
  },
];
