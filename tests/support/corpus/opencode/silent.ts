/** Situations of opencode in which nothing is asked. */
import type { OpencodeOptions } from "../../real-cli/opencode.js";
import { KEYS } from "../../real-cli/terminal.js";
import { makeSilences } from "../shared/silences.js";
import { ask, bash, finished, type OpencodeSituation, ready } from "./moves.js";

const opened =
  (keys: string, seen: RegExp): OpencodeSituation["play"] =>
  async (player) => {
    await ready(player);
    player.type(keys);
    await player.see(seen);
    await player.wait(800);
  };

const common = makeSilences<OpencodeOptions>({
  hand: { ready, ask, finished },
  busy: /interrupt/,
  command: bash,
  unasked: { permission: { bash: "allow" } },
  dialog: "△ Permission required\\nAllow once   Allow always   Reject",
  stop: [KEYS.esc, KEYS.esc],
  unauthorized: {
    error: { status: 401, type: "invalid_api_key", message: "Incorrect API key provided." },
    seen: /Incorrect API key/,
    forMs: 1000,
  },
  retry: {
    error: { status: 429, type: "rate_limit_exceeded", message: "Rate limit reached." },
    seen: /retrying|Rate limit/,
    forMs: 1500,
  },
  resume: { args: ["--continue"] },
  differs: {
    "no-prompt-interrupted": { description: "Esc, twice, stopped the model" },
    "no-prompt-retry": { description: "The quota is used up: another try" },
    "no-prompt-shortcuts": null,
  },
});

const own: readonly OpencodeSituation[] = [
  {
    name: "no-prompt-todo",
    description: "A list of steps with tick boxes",
    model: [
      {
        tools: [
          {
            name: "todowrite",
            input: {
              todos: [
                { id: "1", content: "Read the code", status: "completed", priority: "high" },
                { id: "2", content: "Ask: continue? (y/n)", status: "in_progress", priority: "high" },
                { id: "3", content: "Test", status: "pending", priority: "low" },
              ],
            },
          },
        ],
      },
      { text: "On it." },
    ],
    play: (player) => finished(player, /On it/),
  },
  {
    name: "no-prompt-palette",
    description: "The user opened the palette",
    play: opened("\u0010", /Commands|Search/),
  },
  {
    name: "no-prompt-model-menu",
    description: "The user opened the list of models",
    play: async (player) => {
      await ready(player);
      player.type("/models");
      await player.wait(800);
      await player.key(KEYS.enter);
      await player.see(/Select model|Fake Model/i);
      await player.wait(800);
    },
  },
];

export const silences = [...common, ...own];
