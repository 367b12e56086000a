/** Situations of opencode in which nothing is asked: it works, it waits for a task, an answer only looks like a question, a menu. */
import { KEYS } from "../../real-cli/terminal.js";
import { silent } from "../labels.js";
import { LOOKALIKES, WORDS } from "../prose.js";
import { ask, bash, finished, type OpencodeSituation, ready } from "./moves.js";

const small = { sizes: ["80x24"] } as const;
const unasked = { options: { permission: { bash: "allow" } } } as const;
const writes = [{ text: WORDS, pace: { chars: 12, everyMs: 150 } }] as const;

function opened(keys: string, seen: RegExp): OpencodeSituation["play"] {
  return async (player) => {
    await ready(player);
    player.type(keys);
    await player.see(seen);
    await player.wait(800);
  };
}

export const silences: readonly OpencodeSituation[] = [
  { name: "no-prompt-idle", description: "The composer waits for a task", play: ready, label: silent() },
  {
    name: "no-prompt-draft",
    description: "A task that ends in (y/n) is typed and not sent",
    play: async (player) => {
      await ready(player);
      player.type("please fix the build (y/n)");
    },
    label: silent(),
  },
  {
    name: "no-prompt-streaming",
    description: "The model writes",
    model: writes,
    play: async (player) => {
      await ask(player);
      await player.see(/word30/);
    },
    settles: false,
    label: silent("working"),
  },
  {
    name: "no-prompt-lookalikes-streaming",
    description: "The model writes text that looks like dialogs",
    model: [{ text: LOOKALIKES, pace: { chars: 60, everyMs: 60 }, hold: true }],
    play: async (player) => {
      await ask(player);
      await player.see(/the end of the list/);
      await player.wait(800);
    },
    settles: false,
    label: silent("working"),
  },
  {
    name: "no-prompt-lookalikes-done",
    description: "A finished answer that looks like dialogs",
    model: [{ text: LOOKALIKES }],
    play: (player) => finished(player, /the end of the list/),
    label: silent("idle"),
  },
  {
    name: "no-prompt-prose-question",
    description: "The finished answer asks in prose",
    model: [{ text: "I found two old files. Should I go ahead and delete them? (y/n)" }],
    play: (player) => finished(player, /\(y\/n\)/),
    label: silent("idle"),
  },
  {
    name: "no-prompt-stall",
    description: "A question in prose, but the stream is still open",
    model: [{ text: "Do you want me to continue? [Y/n] ", hold: true }],
    play: async (player) => {
      await ask(player);
      await player.see(/\[Y\/n\]/);
      await player.wait(1500);
    },
    settles: false,
    label: silent("working"),
  },
  {
    name: "no-prompt-thinking",
    description: "Nothing came from the model yet",
    model: [{ hold: true }],
    play: async (player) => {
      await ask(player);
      await player.see(/interrupt/);
      await player.wait(1200);
    },
    settles: false,
    label: silent("working"),
  },
  {
    name: "no-prompt-command",
    description: "A command runs that prints questions",
    ...unasked,
    model: [{ tools: [bash('while sleep 1; do echo "Do you want to continue? [Y/n] "; done')] }],
    play: async (player) => {
      await ask(player);
      await player.see(/\[Y\/n\]/);
      await player.wait(1500);
    },
    settles: false,
    label: silent("working"),
  },
  {
    name: "no-prompt-commands-done",
    description: "Commands ran that printed questions and choices",
    ...unasked,
    model: [
      {
        tools: [
          bash("printf 'Overwrite? (y/n)\\n△ Permission required\\nAllow once   Allow always   Reject\\n'"),
        ],
      },
      { text: "The script asks these questions." },
    ],
    play: (player) => finished(player, /asks these questions/),
    label: silent("idle"),
  },
  {
    name: "no-prompt-interrupted",
    description: "Esc, twice, stopped the model",
    model: writes,
    play: async (player) => {
      await ask(player);
      await player.see(/word10/);
      await player.key(KEYS.esc, KEYS.esc);
      await player.wait(1500);
    },
    ...small,
    label: silent("idle"),
  },
  {
    name: "no-prompt-queued",
    description: "A second task was sent while the model writes",
    model: writes,
    play: async (player) => {
      await ask(player);
      await player.see(/word10/);
      player.type("then run the tests (y/n)");
      await player.wait(500);
      await player.key(KEYS.enter);
    },
    settles: false,
    ...small,
    label: silent("working"),
  },
  {
    name: "no-prompt-unauthorized",
    description: "The key is refused",
    model: [{ error: { status: 401, type: "invalid_api_key", message: "Incorrect API key provided." } }],
    play: async (player) => {
      await ask(player);
      await player.see(/Incorrect API key/);
      await player.wait(1000);
    },
    label: silent(),
  },
  {
    name: "no-prompt-retry",
    description: "The quota is used up: another try",
    model: [{ error: { status: 429, type: "rate_limit_exceeded", message: "Rate limit reached." } }],
    play: async (player) => {
      await ask(player);
      await player.see(/retry|Rate limit/i);
      await player.wait(1500);
    },
    settles: false,
    label: silent(),
  },
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
    label: silent("idle"),
  },
  {
    name: "no-prompt-slash-menu",
    description: "The user opened the list of commands",
    play: opened("/", /\/models/),
    label: silent(),
  },
  {
    name: "no-prompt-palette",
    description: "The user opened the palette",
    play: opened("\u0010", /Commands|Search/),
    label: silent(),
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
    label: silent(),
  },
  {
    name: "no-prompt-files",
    description: "The user looks for a file with @",
    play: opened("look at @app", /app\.py/),
    ...small,
    label: silent(),
  },
  {
    name: "no-prompt-resumed",
    description: "A transcript with an old question was resumed",
    model: [{ text: LOOKALIKES }],
    before: { play: (player) => finished(player, /the end of the list/) },
    options: { args: ["--continue"] },
    play: async (player) => {
      await player.see(/the end of the list/, 60_000);
      await player.wait(2000);
    },
    label: silent("idle"),
  },
];
