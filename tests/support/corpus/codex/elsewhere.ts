/** What codex asks of other things than the turn that is shown: hooks, and the folder of an older session. */
import { type CodexSituation, finished } from "./moves.js";

const HOOKS = [
  "[[hooks.Stop]]",
  "[[hooks.Stop.hooks]]",
  'type = "command"',
  'command = "echo done >> turns.log"',
] as const;

export const elsewhere: readonly CodexSituation[] = [
  {
    name: "hooks-review",
    description: "Hooks that nobody has trusted yet are to be reviewed before the first turn",
    options: { tables: HOOKS },
    play: (player) => player.see(/Hooks need review/),
  },
  {
    name: "resume-folder",
    description: "A session of another folder is resumed: where is it to go on",
    before: {
      options: { args: ["-C", "src"] },
      play: async (player) => {
        await finished(player);
        await player.still();
        await player.say("/quit");
        await player.wait(1500);
      },
    },
    options: { args: ["resume", "--last", "--all"] },
    play: (player) => player.see(/Use current directory/),
  },
];
