/** Situations of codex in which nothing is asked: it works, it waits for a task, or an answer only looks like a question. */
import { KEYS } from "../../real-cli/terminal.js";
import { silent } from "../labels.js";
import { LOOKALIKES, WORDS } from "../prose.js";
import { ask, type CodexSituation, exec, finished, ready, sandboxed } from "./moves.js";

const small = { sizes: ["80x24"] } as const;

export const silences: readonly CodexSituation[] = [
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
    label: silent("idle"),
  },
  {
    name: "no-prompt-streaming",
    description: "The model writes",
    model: [{ text: WORDS, pace: { chars: 12, everyMs: 150 } }],
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
    play: finished,
    label: silent("idle"),
  },
  {
    name: "no-prompt-prose-question",
    description: "The finished answer asks in prose",
    model: [{ text: "I found two old files. Should I go ahead and delete them? (y/n)" }],
    play: finished,
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
      await player.see(/esc to interrupt/);
      await player.wait(3000);
    },
    settles: false,
    label: silent("working"),
  },
  {
    name: "no-prompt-command",
    description: "A command runs that prints questions",
    model: [
      {
        tools: [sandboxed('for i in $(seq 60); do echo "Do you want to continue? [Y/n] "; sleep 1; done')],
      },
    ],
    play: async (player) => {
      await ask(player);
      await player.see(/esc to interrupt/);
      await player.wait(4000);
    },
    settles: false,
    label: silent("working"),
  },
  {
    name: "no-prompt-commands-done",
    description: "Commands ran that printed questions and choices",
    model: [
      {
        text: "Let me look.",
        tools: [
          sandboxed(
            "printf 'Overwrite? (y/n)\\n› 1. Yes\\n  2. No\\nPress enter to confirm or esc to cancel\\n'",
          ),
        ],
      },
      { text: "The script asks these questions." },
    ],
    play: finished,
    label: silent("idle"),
  },
  {
    name: "no-prompt-interrupted",
    description: "Esc stopped the model",
    model: [{ text: WORDS, pace: { chars: 12, everyMs: 150 } }],
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
    model: [{ text: WORDS, pace: { chars: 12, everyMs: 150 } }],
    play: async (player) => {
      await ask(player);
      await player.see(/word10/);
      await player.say("then run the tests (y/n)");
    },
    settles: false,
    ...small,
    label: silent("working"),
  },
  {
    name: "no-prompt-quota",
    description: "The quota is used up",
    model: [
      { error: { status: 429, type: "insufficient_quota", message: "You exceeded your current quota." } },
    ],
    play: async (player) => {
      await ask(player);
      await player.see(/[Qq]uota/);
    },
    label: silent("idle"),
  },
  {
    name: "no-prompt-unauthorized",
    description: "The key is refused",
    model: [{ error: { status: 401, type: "invalid_api_key", message: "Incorrect API key provided." } }],
    play: async (player) => {
      await ask(player);
      await player.see(/401|[Uu]nauthorized/);
    },
    ...small,
    label: silent("idle"),
  },
  {
    name: "no-prompt-retry",
    description: "The model is out of order: another try",
    model: [{ error: { status: 500, type: "server_error", message: "The server had an error." } }],
    play: async (player) => {
      await ask(player);
      await player.still(2500);
    },
    settles: false,
    label: silent(),
  },
  {
    name: "no-prompt-resumed",
    description: "A transcript with an old question was resumed",
    model: [{ text: LOOKALIKES }],
    before: {
      play: async (player) => {
        await finished(player);
        await player.still();
        await player.say("/quit");
        await player.wait(1500);
      },
    },
    options: { args: ["resume", "--last"] },
    play: async (player) => {
      await player.see(/the end of the list/);
      await player.still();
    },
    label: silent("idle"),
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
    ...small,
    label: silent(),
  },
];
