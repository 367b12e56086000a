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
    .summary("accept answers again, or send a session's held back prompts again")
    .description(
      "Without a session: ends the pause. With one: a session that asked too often (`prompts.flood_limit`)\n" +
        "sends its prompts to chats again, and rules answer its next ones.",
    )
    .argument("[session]", "its id, the beginning of it, or its label")
    .action((session: string | undefined) =>
      session === undefined
        ? switchPause(false, "Resumed: answers are accepted again.")
        : resumeSession(session),
    );
}

async function resumeSession(session: string): Promise<void> {
  const client = await import("../../client/set-mode.js");
  const { name, follow } = await client.resumeSession(session);
  const what =
    follow === null ? "its prompts were not held back" : `prompts are sent again; ${follow} follow`;
  printLines([`${name}: ${what}`]);
}

async function switchPause(paused: boolean, done: string): Promise<void> {
  const { setPaused } = await import("../../client/ask-hub.js");
  await setPaused(paused);
  printLines([done]);
}
