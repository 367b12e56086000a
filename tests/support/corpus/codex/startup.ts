/** What codex asks before its first turn. */
import { KEYS } from "../../real-cli/terminal.js";
import { arrows } from "../labels.js";
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
    label: {
      type: "multiple_choice",
      excerpt: "Trust this folder?",
      choices: ["Trust and continue", "Back to Agent Command Center"],
      byDefault: 1,
      content: ["/home/dev/proj"],
      count: 1,
      replies: arrows(2),
    },
  },
  {
    name: "new-folder",
    description: "May the folder be trusted; the highlight was moved to the other row",
    options: { trusted: false },
    play: async (player) => {
      await player.see(/Trust and continue/);
      await player.still();
      await player.key(KEYS.down);
    },
    sizes: ["80x24"],
    label: {
      type: "multiple_choice",
      excerpt: "Trust this folder?",
      choices: ["Trust and continue", "Back to Agent Command Center"],
      byDefault: 2,
      count: 1,
    },
  },
  {
    name: "model-news",
    description: "A newer model is announced",
    options: { model: "gpt-5.6-sol" },
    play: (player) => player.see(/Try new model/),
    label: {
      type: "multiple_choice",
      choices: ["Try new model", "Use existing model"],
      byDefault: 1,
      content: ["Meet GPT-6 Sol"],
      count: 1,
      replies: arrows(2),
    },
  },
  {
    name: "update",
    description: "A newer release is offered",
    options: { update: true, env: { CODEX_MANAGED_BY_NPM: "1" } },
    play: (player) => player.see(/Skip until/),
    label: {
      type: "multiple_choice",
      excerpt: "Update available · 0.169.0 → 99.0.0",
      choices: ["Update now (runs `npm install -g @openai/codex`)", "Skip", "Skip until next version"],
      byDefault: 1,
      count: 1,
      replies: arrows(3),
    },
  },
  {
    name: "login",
    description: "No provider is set up: how to sign in",
    options: { provider: false },
    play: (player) => player.see(/Sign in another way/),
    label: {
      type: "multiple_choice",
      excerpt: "Choose how you want to use Codex.",
      choices: ["Sign in with ChatGPT", "Sign in with Device Code", "Sign in another way"],
      byDefault: 1,
      count: 1,
      replies: arrows(3),
    },
  },
  {
    name: "login-other",
    description: "Other ways to sign in",
    options: { provider: false },
    play: otherWays,
    label: {
      type: "multiple_choice",
      excerpt: "Sign in another way",
      choices: ["Use an OpenAI API key", "Use Amazon Bedrock"],
      byDefault: 1,
      count: 2,
    },
  },
  {
    name: "login-key",
    description: "The API key is to be typed",
    options: { provider: false },
    play: async (player) => {
      await otherWays(player);
      await player.still();
      await player.key("1");
      await player.see(/Paste or type your API key below/);
    },
    label: { type: "secret", excerpt: "API key", count: 3, replies: [{ value: "sk-1", keys: [] }] },
  },
];
