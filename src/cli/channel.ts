/** `atlasbridge channel`: pairing a phone. */
import type { Command } from "commander";
import { printLines } from "./output.js";

export function registerChannel(program: Command): void {
  const channel = program.command("channel").summary("the services that questions are sent to");
  channel
    .command("add")
    .summary("pair a channel with a person: telegram, slack")
    .argument("<channel>", "telegram or slack")
    .action(async (name: string) => {
      const { addChannel } = await import("../app/channels/add-channel.js");
      const { terminalDialog } = await import("./pairing-dialog.js");
      const paired = await addChannel(name, terminalDialog);
      printLines(
        paired === null
          ? ["Nobody was paired."]
          : [`${paired.name} (${paired.identity}) may now answer. Written to ${paired.config}.`],
      );
    });
}
