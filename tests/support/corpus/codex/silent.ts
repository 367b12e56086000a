/** Situations of codex in which nothing is asked. */
import { inTurn, see, wait } from "../move.js";
import { makeSilences } from "../shared/silences.js";
import { ask, type CodexSituation, exec, finished, ready, sandboxed } from "./moves.js";

const common = makeSilences({
  hand: { ready, ask, finished },
  busy: /esc to interrupt/,
  command: sandboxed,
  dialog: "› 1. Yes\\n  2. No\\nPress enter to confirm or esc to cancel",
  unauthorized: {
    error: { status: 401, type: "invalid_api_key", message: "Incorrect API key provided." },
    seen: /401|[Uu]nauthorized/,
  },
  retry: {
    error: { status: 500, type: "server_error", message: "The server had an error." },
    seen: /esc to interrupt/,
    forMs: 2500,
  },
  resume: { args: ["resume", "--last"], quit: "/quit" },
  differs: {
    // What it prints is not drawn before its end.
    "no-prompt-command": {
      play: inTurn(ask, see(/esc to interrupt/), wait(4000)),
    },
    "no-prompt-unauthorized": { sizes: ["80x24"] },
  },
});

const own: readonly CodexSituation[] = [
  {
    name: "no-prompt-quota",
    description: "The quota is used up",
    model: [
      { error: { status: 429, type: "insufficient_quota", message: "You exceeded your current quota." } },
    ],
    play: inTurn(ask, see(/[Qq]uota/)),
  },
  {
    name: "no-prompt-held-back",
    description: "A question is due, but the user is typing: codex holds it back",
    model: [{ text: "I will remove the build folder.", tools: [exec("rm -rf build")] }],
    play: async (player) => {
      await ask(player);
      for (let i = 0; i < 14; i++) {
        player.type("x");
        await player.wait(150);
      }
    },
    settles: false,
    sizes: ["80x24"],
  },
];

export const silences = [...common, ...own];
