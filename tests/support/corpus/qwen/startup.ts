/** What qwen asks before its first turn. */
import { arrows, digits } from "../labels.js";
import type { QwenSituation } from "./moves.js";

export const startup: readonly QwenSituation[] = [
  {
    name: "trust",
    description: "May the folder be trusted",
    options: { trusted: false },
    play: (player) => player.see(/Don't trust/, 60_000),
    label: {
      type: "multiple_choice",
      excerpt: "Do you trust this folder?",
      choices: ["Trust folder (proj)", "Trust parent folder (dev)", "Don't trust (esc)"],
      byDefault: 1,
      count: 1,
      replies: digits(3),
    },
  },
  {
    name: "sign-in",
    description: "No provider is set up: how to sign in",
    options: { signedIn: false },
    play: async (player) => {
      await player.see(/authenticate|provider|Select/i, 60_000);
      await player.still(1200);
    },
    label: (size) => ({
      type: "multiple_choice",
      excerpt: "Connect a Provider",
      // The narrowest terminal shows it overdrawn: nobody can say what its rows are.
      ...(size !== "45x20" && {
        choices: ["Alibaba ModelStudio", "Third-party Providers", "Custom Provider"],
        replies: arrows(3),
      }),
      byDefault: 1,
      count: 1,
    }),
  },
];
