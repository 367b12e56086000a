/** `atlasbridge pause` and `resume`: the kill switch. */
import type { Command } from "commander";
import { printLines } from "../output.js";

export function registerPause(program: Command): void {
  program
    .command("pause")
    .summary("take no answer from anybody until `resume`")
    .description(
      "From now on no answer is typed for anybody: none from any channel, and none at a deadline. One that is\n" +
        "being typed stops before its next key. `stop` from a chat still interrupts, and your own keyboard works as ever.\n" +
        "It holds until `atlasbridge resume`.",
    )
    .action(() => switchTo(true, "Paused: nothing is answered until `atlasbridge resume`."));

  program
    .command("resume")
    .summary("take answers again")
    .action(() => switchTo(false, "Answers are taken again."));
}

async function switchTo(paused: boolean, done: string): Promise<void> {
  const { setPaused } = await import("../../client/ask-hub.js");
  await setPaused(paused);
  printLines([done]);
}
