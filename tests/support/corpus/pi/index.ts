/** The situations of pi. By itself it asks nothing: its dialogs are those of extensions, here of examples that come with it. */
import { inTurn, press, see, wait } from "../move.js";
import type { Step } from "../../fake-model/script.js";
import type { PiOptions } from "../../real-cli/pi.js";
import { KEYS } from "../../real-cli/terminal.js";
import type { Player } from "../player.js";
import { LOOKALIKES, WORDS } from "../prose.js";
import type { Situation } from "../situation.js";

const SLOW_MS = 60_000;
const runs = (command: string): readonly Step[] => [
  { text: "I will clear the old output.", tools: [{ name: "bash", input: { command } }] },
  { text: "All done." },
];

async function ready(player: Player): Promise<void> {
  await player.see(/fake-model/, SLOW_MS);
  await player.still(1200);
}

async function ask(player: Player): Promise<void> {
  await ready(player);
  player.type(`Please tidy up ${player.token}`);
  await player.see(/tidy up/);
  await player.wait(500);
  await player.key(KEYS.enter);
}

async function asked(player: Player): Promise<void> {
  await ask(player);
  await player.see(/navigate/, SLOW_MS);
  await player.wait(1500);
}

async function done(player: Player, ...keys: readonly string[]): Promise<void> {
  await player.key(...keys);
  await player.see(/All done\./, SLOW_MS);
  await player.wait(1000);
}

async function clearing(player: Player): Promise<void> {
  await ask(player);
  await player.see(/All done\./, SLOW_MS);
  await player.wait(1000);
  player.type("/new");
  await player.wait(800);
  await player.key(KEYS.enter);
  await player.see(/Clear session/);
  await player.wait(1500);
}

export const situations: readonly Situation<PiOptions>[] = [
  {
    name: "gate",
    description: "The permission gate asks whether a command may run",
    model: runs("rm -rf build"),
    play: asked,
  },
  {
    name: "gate-moved",
    description: "The highlight was moved to No",
    model: runs("rm -rf build"),
    play: inTurn(asked, press(KEYS.down), wait(800)),
  },
  {
    name: "gate-answered",
    description: "The gate was answered at the keyboard",
    model: runs("rm -rf build"),
    play: inTurn(asked, (player) => done(player, KEYS.enter)),
  },
  {
    name: "gate-script",
    description: "The gate asks about a script whose lines look like a dialog",
    model: runs(["set -e", "# Allow?", "# → Yes", "#   No", "rm -rf build"].join("\n")),
    play: asked,
  },
  {
    name: "gate-chmod",
    description: "The gate asks whether a file may be opened to everybody",
    model: runs("chmod 777 run.sh"),
    play: asked,
  },
  {
    name: "confirm-clear",
    description: "An extension asks whether the session may be cleared, which the user asked for",
    options: { extensions: ["confirm-destructive.ts"] },
    model: [{ text: "All done." }],
    play: clearing,
  },
  {
    name: "no-prompt-ungated",
    description: "Without an extension it runs a command without asking",
    options: { extensions: [] },
    model: runs("rm -rf build"),
    play: inTurn(ask, see(/All done\./, SLOW_MS), wait(1000)),
  },
  { name: "no-prompt-idle", description: "It waits for a task", play: ready },
  {
    name: "no-prompt-streaming",
    description: "It writes",
    model: [{ text: WORDS, pace: { chars: 12, everyMs: 150 } }],
    play: inTurn(ask, see(/Working/, SLOW_MS), wait(2500)),
    settles: false,
  },
  {
    name: "no-prompt-lookalikes-done",
    description: "Its answer holds what looks like dialogs",
    model: [{ text: LOOKALIKES }],
    play: async (player) => {
      await ask(player);
      await player.gone(/Working/);
      await player.wait(3000);
    },
  },
  {
    name: "no-prompt-model-menu",
    description: "The user opened the list of models",
    play: async (player) => {
      await ready(player);
      player.type("/model");
      await player.wait(800);
      await player.key(KEYS.enter);
      await player.wait(1500);
    },
  },
];
