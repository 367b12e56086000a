/** `atlasbridge pause` and `resume`: the kill switch. */
import type { Command } from "commander";
import { printLines } from "../output.js";

export function registerPause(program: Command): void {
  program
    .command("pause")
    .summary("accept no answers until `resume`")
    .description(
      "No answer is typed any more, from any channel or at a deadline. An answer\n" +
        "being typed stops before its next key. `stop` from a chat still interrupts, and your keyboard works as usual.\n" +
        "`atlasbridge resume` ends the pause.",
    )
    .action(() => switchPause(true, "Paused: no answers are accepted until `atlasbridge resume`."));

  program
    .command("resume")
    .summary("accept answers again")
    .action(() => switchPause(false, "Resumed: answers are accepted again."));
}

async function switchPause(paused: boolean, done: string): Promise<void> {
  const { setPaused } = await import("../../client/ask-hub.js");
  await setPaused(paused);
  printLines([done]);
}
