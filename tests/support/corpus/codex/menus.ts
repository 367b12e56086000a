/** Menus of codex that the user opened: seen, never relayed. */
import { inTurn, press, still } from "../move.js";
import { LOOKALIKES } from "../prose.js";
import { type CodexSituation, finished, ready } from "./moves.js";

const small = { sizes: ["80x24"] } as const;

export const menus: readonly CodexSituation[] = [
  {
    name: "no-prompt-model-menu",
    description: "The user opened /model",
    play: async (player) => {
      await ready(player);
      await player.say("/model");
      await player.see(/Select Model/);
    },
  },
  {
    name: "no-prompt-permissions-menu",
    description: "The user opened /permissions",
    play: async (player) => {
      await ready(player);
      await player.say("/permissions");
      await player.see(/Update Model Permissions/);
    },
  },
  {
    name: "no-prompt-full-access",
    description: "The user chose full access in /permissions and is asked to confirm",
    play: async (player) => {
      await ready(player);
      await player.say("/permissions");
      await player.see(/Update Model Permissions/);
      await player.still();
      await player.key("3");
      await player.still();
    },
    ...small,
  },
  {
    name: "no-prompt-transcript",
    description: "The user reads the transcript",
    model: [{ text: LOOKALIKES }],
    play: inTurn(finished, still(), press("\u0014"), still()),
  },
  {
    name: "no-prompt-resume-menu",
    description: "The user chooses a session to resume",
    before: {
      play: async (player) => {
        await finished(player);
        await player.still();
        await player.say("/quit");
        await player.wait(1500);
      },
    },
    options: { args: ["resume"] },
    play: (player) => player.still(2000),
    ...small,
  },
];
