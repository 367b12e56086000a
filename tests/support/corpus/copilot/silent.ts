/** Situations of copilot in which nothing is asked. */
import { inTurn, press, see, wait } from "../move.js";
import { makeSilences } from "../shared/silences.js";
import type { Size } from "../situation.js";
import { ask, bash, type CopilotSituation, finished, ready } from "./moves.js";

const small: { readonly sizes: readonly Size[] } = { sizes: ["80x24"] };

function opened(command: string, seen: RegExp): CopilotSituation["play"] {
  return async (player) => {
    await ready(player);
    await player.say(command);
    await player.see(seen);
    await player.still();
  };
}

const common = makeSilences({
  hand: { ready, ask, finished },
  busy: /Working/,
  command: bash,
  unasked: { args: ["--allow-all-tools"] },
  dialog: "❯ 1. Yes\\n  2. No (Esc)\\n↑/↓ to navigate · enter to select · esc to cancel",
  stop: ["\u0003"],
  unauthorized: {
    error: { status: 401, type: "invalid_api_key", message: "Incorrect API key provided." },
    seen: /Authentication failed/,
    forMs: 1000,
  },
  retry: {
    error: { status: 500, type: "server_error", message: "Internal error." },
    seen: /Retrying/,
    forMs: 1500,
  },
  resume: { args: ["--continue"], quit: "/exit" },
  differs: {
    // It counts the lines of a command that runs, and shows none.
    "no-prompt-command": {
      play: inTurn(ask, see(/\d lines/, 60_000), wait(2000)),
    },
    "no-prompt-interrupted": { description: "Ctrl-C stopped the model" },
  },
});

const own: readonly CopilotSituation[] = [
  {
    name: "no-prompt-signed-out",
    description: "A task was sent, but nobody is signed in",
    options: { provider: false },
    play: inTurn(ask, see(/must be logged in/)),
  },
  {
    name: "no-prompt-quota",
    description: "The model is asked too often: another try",
    model: [{ error: { status: 429, type: "rate_limit_exceeded", message: "Rate limit reached." } }],
    play: inTurn(ask, see(/Working/), wait(4000)),
    settles: false,
    ...small,
  },
  {
    name: "no-prompt-model-menu",
    description: "The user opened /model",
    play: opened("/model", /Search models/),
  },
  {
    name: "no-prompt-theme-menu",
    description: "The user opened /theme",
    play: opened("/theme", /Contrast/),
  },
  {
    name: "no-prompt-permissions-menu",
    description: "The user opened /permissions",
    play: opened("/permissions", /Select Permission Mode/),
  },
  {
    name: "no-prompt-settings",
    description: "The user opened /settings",
    play: opened("/settings", /Configure your/),
  },
  {
    name: "no-prompt-sessions",
    description: "The user opened /resume",
    play: opened("/resume", /Session/),
    ...small,
  },
  {
    name: "no-prompt-servers",
    description: "The user opened /mcp",
    play: opened("/mcp", /Add MCP server/),
    ...small,
  },
  {
    name: "no-prompt-diff",
    description: "The user opened /diff",
    play: opened("/diff", /Files \(/),
    ...small,
  },
  {
    name: "no-prompt-tasks",
    description: "The user opened /tasks",
    play: opened("/tasks", /Shell Commands/),
    ...small,
  },
  {
    name: "no-prompt-ctrl-c",
    description: "Ctrl-C once: copilot would end with a second one",
    play: inTurn(ready, press("\u0003")),
    settles: false,
    ...small,
  },
];

export const silences = [...common, ...own];
