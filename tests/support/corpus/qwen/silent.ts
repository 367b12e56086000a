/** Situations of qwen in which nothing is asked: it works, it waits for a task, or an answer only looks like a question. */
import { KEYS } from "../../real-cli/terminal.js";
import { silent } from "../labels.js";
import { LOOKALIKES, WORDS } from "../prose.js";
import { ask, finished, type QwenSituation, ready, shell } from "./moves.js";

const small = { sizes: ["80x24"] } as const;
const unasked = { options: { args: ["--approval-mode=yolo"] } } as const;
const writes = [{ text: WORDS, pace: { chars: 12, everyMs: 150 } }] as const;

export const silences: readonly QwenSituation[] = [
  {
    name: "no-prompt-idle",
    description: "The composer waits for a task",
    play: ready,
    label: silent("idle"),
  },
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
      await player.see(/word40/);
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
      await player.wait(1500);
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
      await player.wait(3000);
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
      await player.see(/esc to cancel/);
      await player.wait(2500);
    },
    settles: false,
    label: silent("working"),
  },
  {
    name: "no-prompt-command",
    description: "A command runs that prints questions",
    ...unasked,
    model: [{ tools: [shell('while sleep 1; do echo "Do you want to continue? [Y/n] "; done')] }],
    play: async (player) => {
      await ask(player);
      await player.see(/\[Y\/n\]/);
      await player.wait(3000);
    },
    settles: false,
    sizes: ["120x40", "80x24"],
    label: silent("working"),
  },
  {
    name: "no-prompt-commands-done",
    description: "Commands ran that printed questions and choices",
    ...unasked,
    model: [
      {
        tools: [
          shell("printf 'Overwrite? (y/n)\\n› 1. Yes, allow once\\n  2. No\\nAllow execution of: rm?\\n'"),
        ],
      },
      { text: "The script asks these questions." },
    ],
    play: (player) => finished(player, /asks these questions/),
    label: silent("idle"),
  },
  {
    name: "no-prompt-interrupted",
    description: "Esc stopped the model",
    model: writes,
    play: async (player) => {
      await ask(player);
      await player.see(/word10/);
      await player.key(KEYS.esc);
      await player.still();
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
      await player.wait(600);
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
      await player.see(/401|Incorrect API key/);
    },
    label: silent("idle"),
  },
  {
    name: "no-prompt-retry",
    description: "The model is out of order: another try",
    model: [{ error: { status: 503, type: "server_error", message: "The model is overloaded." } }],
    play: async (player) => {
      await ask(player);
      await player.see(/esc to cancel|Trying/);
      await player.wait(4000);
    },
    settles: false,
    label: silent("working"),
  },
  {
    name: "no-prompt-resumed",
    description: "A transcript with an old question was resumed",
    model: [{ text: LOOKALIKES }],
    before: {
      play: async (player) => {
        await finished(player, /the end of the list/);
        await player.say("/quit");
        await player.wait(1500);
      },
    },
    options: { args: ["--continue"] },
    play: async (player) => {
      await player.see(/the end of the list/);
      await player.still(1200);
    },
    label: silent("idle"),
  },
];
