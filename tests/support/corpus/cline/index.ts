import { inTurn, press, see, wait } from "../move.js";
import type { Step, ToolCall } from "../../fake-model/script.js";
import { KEYS } from "../../real-cli/terminal.js";
import type { Player } from "../player.js";
import { LOOKALIKES, WORDS } from "../prose.js";
import type { Situation } from "../situation.js";

const SLOW_MS = 60_000;
const call = (...tools: readonly ToolCall[]): readonly Step[] => [
  { text: "I will clear the old output.", tools },
  { text: "All done." },
];
const runs = (...commands: readonly string[]): readonly Step[] =>
  call({ name: "run_commands", input: { commands } });

/** At its first start it offers a subscription in a window; any key closes that. */
async function ready(player: Player): Promise<void> {
  await player.see(/Press Enter to open|What can I do for you\?|Ask anything/, SLOW_MS);
  await player.wait(2500);
  await player.key(KEYS.esc);
  await player.see(/Auto-approve/, SLOW_MS);
  await player.wait(1000);
}

async function ask(player: Player): Promise<void> {
  await ready(player);
  player.type(`Please tidy up ${player.token}`);
  await player.see(/tidy up/);
  await player.wait(500);
  await player.key(KEYS.enter);
}

async function asked(player: Player, dialog = /\[n\] Deny/): Promise<void> {
  await ask(player);
  await player.see(dialog, SLOW_MS);
  await player.wait(1500);
}

async function done(player: Player, ...keys: readonly string[]): Promise<void> {
  await player.key(...keys);
  await player.see(/All done\./, SLOW_MS);
  await player.wait(1000);
}
const question = { question: "Which database should we use?", options: ["PostgreSQL", "SQLite", "MongoDB"] };
const chooses = call({ name: "ask_question", input: question });

export const situations: readonly Situation[] = [
  {
    name: "bash",
    description: "May a command run",
    model: runs("rm -rf build"),
    play: asked,
  },
  {
    name: "bash-long",
    description: "A command of several lines and a long one",
    model: runs(["set -e", "# Continue? (y/n)", "rm -rf build"].join("\n"), `echo ${"old ".repeat(40)}`),
    play: asked,
  },
  {
    name: "bash-answered",
    description: "A command was allowed at the keyboard",
    model: runs("rm -rf build"),
    play: inTurn(asked, (player) => done(player, "y")),
  },
  {
    name: "bash-no",
    description: "A command was denied at the keyboard",
    model: runs("rm -rf build"),
    play: inTurn(asked, (player) => done(player, "n")),
    sizes: ["80x24"],
  },
  {
    name: "write",
    description: "May a file be written",
    model: call({ name: "editor", input: { path: "hello.txt", new_text: "hello\nContinue? (y/n)\n" } }),
    play: asked,
  },
  {
    name: "choose",
    description: "A question with three options",
    model: chooses,
    play: (player) => asked(player, /Type a response/),
  },
  {
    name: "choose-moved",
    description: "A question whose highlight was moved down",
    model: chooses,
    play: inTurn((player) => asked(player, /Type a response/), press(KEYS.down, KEYS.down), wait(800)),
  },
  {
    name: "choose-answered",
    description: "A question was answered at the keyboard",
    model: chooses,
    play: inTurn(
      (player) => asked(player, /Type a response/),
      (player) => done(player, KEYS.down, KEYS.enter),
    ),
  },
  {
    name: "region",
    description: "A question with two options",
    model: call({
      name: "ask_question",
      input: { question: "Which region should we deploy to?", options: ["Frankfurt", "Oregon"] },
    }),
    play: (player) => asked(player, /Type a response/),
  },
  { name: "no-prompt-idle", description: "It waits for a task", play: ready },
  {
    name: "no-prompt-streaming",
    description: "It writes",
    model: [{ text: WORDS, pace: { chars: 12, everyMs: 150 } }],
    play: inTurn(ask, see(/word20/, SLOW_MS)),
    settles: false,
  },
  {
    name: "no-prompt-lookalikes-done",
    description: "Its answer holds what looks like dialogs",
    model: [{ text: LOOKALIKES }],
    play: inTurn(ask, see(/Ask anything/, SLOW_MS), wait(2000)),
  },
];
